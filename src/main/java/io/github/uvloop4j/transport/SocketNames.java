package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.net.AbstractAddress;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses of sockets, between Java and C: internet, and Unix of all three kinds. Any thread. */
final class SocketNames {
    /** Of a Unix socket without a name. */
    static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private static final int PATH_OFFSET = 2;

    private SocketNames() {}

    /** 0 for a connected socket, else a negative code: ENOTSOCK, ENOTCONN and so on. */
    static int peerStatus(int fd) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            return SocketCalls.peerName(fd, address, length);
        }
    }

    /** The own address of a socket. */
    static SocketAddress local(int fd) {
        return name(fd, false);
    }

    /** The peer's address. */
    static SocketAddress peer(int fd) {
        return name(fd, true);
    }

    private static SocketAddress name(int fd, boolean peer) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            int status = peer ? SocketCalls.peerName(fd, address, length) : SocketCalls.socketName(fd, address, length);
            if (status < 0) {
                throw new UvException(status, "socket name");
            }
            return decode(address, length.get(ValueLayout.JAVA_INT, 0));
        }
    }

    /** The address in the first bytes of a sockaddr. */
    static SocketAddress decode(MemorySegment address, int length) {
        if (address.get(ValueLayout.JAVA_SHORT, 0) != libc.AF_UNIX()) {
            return SocketAddresses.decode(address);
        }
        int size = Math.min(length, (int) address.byteSize()) - PATH_OFFSET;
        if (size <= 0) {
            return UNNAMED;
        }
        var name = address.asSlice(PATH_OFFSET, size);
        try {
            return name.get(ValueLayout.JAVA_BYTE, 0) == 0
                    ? AbstractAddress.of(name.asSlice(1).toArray(ValueLayout.JAVA_BYTE))
                    : UnixDomainSocketAddress.of(name.getString(0));
        } catch (IllegalArgumentException unspeakable) {
            // A peer chooses its name: an empty abstract one, or bytes that are no path in this locale.
            return UNNAMED;
        }
    }

    /** The sockaddr of an address, of the right size. Throws IllegalArgumentException for one that no socket can have. */
    static MemorySegment encode(SocketAddress address, SegmentAllocator allocator) {
        if (!(address instanceof AbstractAddress abstractAddress)) {
            return SocketAddresses.encode(address, allocator);
        }
        var name = abstractAddress.name();
        // One byte more than the name: its first is zero.
        var segment = allocator.allocate(PATH_OFFSET + 1 + name.length, 2).fill((byte) 0);
        segment.set(ValueLayout.JAVA_SHORT, 0, (short) libc.AF_UNIX());
        MemorySegment.copy(name, 0, segment, ValueLayout.JAVA_BYTE, PATH_OFFSET + 1, name.length);
        return segment;
    }

    static boolean isUnix(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress || address instanceof AbstractAddress;
    }

    /** The family of an internet socket; null of another. */
    static @Nullable ProtocolFamily family(int fd) {
        return local(fd) instanceof InetSocketAddress internet
                ? internet.getAddress() instanceof Inet6Address
                        ? StandardProtocolFamily.INET6
                        : StandardProtocolFamily.INET
                : null;
    }

    /** The port of an internet address; -1 of another. */
    static int port(SocketAddress address) {
        return address instanceof InetSocketAddress internet ? internet.getPort() : -1;
    }
}
