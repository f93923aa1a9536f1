package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sockaddr_in;
import io.github.uvloop4j.ffi.sockaddr_in6;
import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.ffi.sockaddr_un;
import io.github.uvloop4j.util.NativePath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Socket addresses between Java and C. Any thread. */
public final class SocketAddresses {
    private static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long PORT_OFFSET = 2;
    private static final long V4_ADDRESS = 4;
    private static final long V6_ADDRESS = 8;
    private static final long V6_SCOPE = 24;
    private static final long PATH_OFFSET = 2;
    private static final int LONGEST_PATH = 107;

    private SocketAddresses() {}

    /** A call of the kind of {@code getsockname}. */
    @FunctionalInterface
    public interface Call {
        /** Fills the address and its length; returns a negative code on failure. */
        int fill(MemorySegment address, MemorySegment length);
    }

    /**
     * The sockaddr of an address, of the right size.
     *
     * @throws IllegalArgumentException when it is unresolved, of another kind than internet and Unix, or a path that is
     *     empty or longer than 107 bytes
     */
    public static MemorySegment encode(SocketAddress address, SegmentAllocator allocator) {
        return switch (address) {
            case InetSocketAddress internet -> encode(internet, allocator);
            case UnixDomainSocketAddress unix -> encode(unix, allocator);
            default -> throw new IllegalArgumentException("neither an internet nor a Unix address: " + address);
        };
    }

    /** Throws IllegalArgumentException when a Unix socket's path is empty or longer than 107 bytes. */
    public static void checkPath(UnixDomainSocketAddress address) {
        bytes(address);
    }

    private static byte[] bytes(UnixDomainSocketAddress address) {
        var path = NativePath.bytes(address.getPath());
        if (path.length == 0 || path.length > LONGEST_PATH) {
            throw new IllegalArgumentException("a socket's path has 1 to " + LONGEST_PATH + " bytes, this one "
                    + path.length + ": " + address.getPath());
        }
        return path;
    }

    private static MemorySegment encode(UnixDomainSocketAddress address, SegmentAllocator allocator) {
        var path = bytes(address);
        var segment = allocator.allocate(sockaddr_un.layout()).fill((byte) 0);
        segment.set(FAMILY, 0, (short) libc.AF_UNIX());
        MemorySegment.copy(path, 0, segment, ValueLayout.JAVA_BYTE, PATH_OFFSET, path.length);
        return segment;
    }

    /** The sockaddr of an address, of the right size. Throws IllegalArgumentException for an unresolved one. */
    public static MemorySegment encode(InetSocketAddress address, SegmentAllocator allocator) {
        var ip = address.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        if (ip instanceof Inet6Address v6) {
            var segment = allocator.allocate(sockaddr_in6.layout()).fill((byte) 0);
            segment.set(FAMILY, 0, (short) libc.AF_INET6());
            segment.set(PORT, PORT_OFFSET, (short) address.getPort());
            MemorySegment.copy(v6.getAddress(), 0, segment, ValueLayout.JAVA_BYTE, V6_ADDRESS, 16);
            segment.set(ValueLayout.JAVA_INT, V6_SCOPE, v6.getScopeId());
            return segment;
        }
        var segment = allocator.allocate(sockaddr_in.layout()).fill((byte) 0);
        segment.set(FAMILY, 0, (short) libc.AF_INET());
        segment.set(PORT, PORT_OFFSET, (short) address.getPort());
        MemorySegment.copy(((Inet4Address) ip).getAddress(), 0, segment, ValueLayout.JAVA_BYTE, V4_ADDRESS, 4);
        return segment;
    }

    /** The address in a sockaddr. Throws IllegalArgumentException when it is neither IPv4 nor IPv6. */
    public static InetSocketAddress decode(MemorySegment segment) {
        int family = segment.get(FAMILY, 0);
        int port = segment.get(PORT, PORT_OFFSET) & 0xffff;
        try {
            if (family == libc.AF_INET()) {
                var bytes = segment.asSlice(V4_ADDRESS, 4).toArray(ValueLayout.JAVA_BYTE);
                return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
            }
            if (family == libc.AF_INET6()) {
                var bytes = segment.asSlice(V6_ADDRESS, 16).toArray(ValueLayout.JAVA_BYTE);
                int scope = segment.get(ValueLayout.JAVA_INT, V6_SCOPE);
                var ip = scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
                return new InetSocketAddress(ip, port);
            }
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
        throw new IllegalArgumentException("not an internet address, but of family " + family);
    }

    /**
     * As {@link #decode}, but null when it is neither IPv4 nor IPv6, and an IPv4 address that is mapped into IPv6 stays
     * an Inet6Address.
     */
    static @Nullable InetSocketAddress decodeUnmapped(MemorySegment segment) {
        int family = segment.get(FAMILY, 0);
        if (family == libc.AF_INET()) {
            return decode(segment);
        }
        if (family != libc.AF_INET6()) {
            return null;
        }
        var bytes = segment.asSlice(V6_ADDRESS, 16).toArray(ValueLayout.JAVA_BYTE);
        int scope = segment.get(ValueLayout.JAVA_INT, V6_SCOPE);
        try {
            var ip = Inet6Address.getByAddress(null, bytes, scope == 0 ? -1 : scope);
            return new InetSocketAddress(ip, segment.get(PORT, PORT_OFFSET) & 0xffff);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The address in a sockaddr, internet or Unix; null for one without a name, or with an abstract one. */
    public static @Nullable SocketAddress decodeAny(MemorySegment segment) {
        int family = segment.get(FAMILY, 0);
        if (family == libc.AF_UNIX()) {
            try {
                var path = segment.asSlice(PATH_OFFSET).getString(0);
                return path.isEmpty() ? null : UnixDomainSocketAddress.of(path);
            } catch (IllegalArgumentException unspeakable) {
                // A peer chooses its name, which may be no path in this locale.
                return null;
            }
        }
        return family == libc.AF_UNSPEC() ? null : decode(segment);
    }

    static @Nullable SocketAddress readAny(Call call) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            UvException.check(call.fill(address, length), "socket name");
            return decodeAny(address);
        }
    }

    static InetSocketAddress read(Call call) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            UvException.check(call.fill(address, length), "socket name");
            return decode(address);
        }
    }

    /** An address as people write it: an internet one as below, a Unix one by its path. */
    public static String text(SocketAddress address) {
        return address instanceof InetSocketAddress internet ? text(internet) : address.toString();
    }

    /** An address as people write it: {@code 127.0.0.1:80}, {@code [::1]:80}, {@code name:80}. */
    public static String text(InetSocketAddress address) {
        var ip = address.getAddress();
        var host = ip == null ? address.getHostString() : ip.getHostAddress();
        return (ip instanceof Inet6Address ? '[' + host + ']' : host) + ':' + address.getPort();
    }
}
