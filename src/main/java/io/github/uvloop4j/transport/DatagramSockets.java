package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvUdp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes sockets of datagrams, with what libuv cannot set before they are bound, and gives them to libuv. */
final class DatagramSockets {
    /** A socket that libuv has. The peer of a connected one may have no name. */
    record Opened(
            UvUdp socket,
            int fd,
            boolean batching,
            @Nullable SocketAddress local,
            boolean connected,
            @Nullable SocketAddress peer) {}

    private DatagramSockets() {}

    /** Binds and connects by the first pair of addresses of one family; either list may be missing. */
    static Opened open(
            LoopIo io,
            @Nullable List<InetSocketAddress> locals,
            @Nullable List<InetSocketAddress> remotes,
            DatagramOptions options)
            throws IOException {
        IOException first = null;
        for (boolean v6 : families(locals, remotes)) {
            try {
                return open(io, pick(locals, v6), pick(remotes, v6), v6, options);
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        throw first != null ? first : new IOException("no local and remote address are of the same family");
    }

    /** In the order of the addresses of whom we talk to, or else of the own ones. */
    private static List<Boolean> families(
            @Nullable List<InetSocketAddress> locals, @Nullable List<InetSocketAddress> remotes) {
        var leading = remotes == null ? locals : remotes;
        var other = remotes == null ? null : locals;
        return leading == null
                ? List.of()
                : leading.stream()
                        .map(DatagramSockets::isV6)
                        .distinct()
                        .filter(v6 -> other == null || pick(other, v6) != null)
                        .toList();
    }

    private static boolean isV6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    private static @Nullable InetSocketAddress pick(@Nullable List<InetSocketAddress> addresses, boolean v6) {
        return addresses == null
                ? null
                : addresses.stream()
                        .filter(address -> isV6(address) == v6)
                        .findFirst()
                        .orElse(null);
    }

    private static Opened open(
            LoopIo io,
            @Nullable InetSocketAddress local,
            @Nullable InetSocketAddress remote,
            boolean v6,
            DatagramOptions options)
            throws IOException {
        int type = libc.SOCK_DGRAM() | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int fd = check(SocketCalls.socket(v6 ? libc.AF_INET6() : libc.AF_INET(), type, 0), "socket");
        try {
            if (options.reusePort()) {
                SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_REUSEPORT(), 1);
            }
            if (options.broadcast()) {
                SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_BROADCAST(), 1);
            }
            if (v6) {
                boolean dual = local != null && local.getAddress().isAnyLocalAddress();
                SocketOptions.set(fd, libc.IPPROTO_IPV6(), libc.IPV6_V6ONLY(), dual ? 0 : 1);
            }
            if (local != null) {
                name(local, address -> SocketCalls.bind(fd, address), "bind ");
            }
            if (remote != null) {
                name(remote, address -> SocketCalls.connect(fd, address), "connect ");
            }
        } catch (UvException e) {
            SocketCalls.close(fd);
            throw IoErrors.of(e);
        } catch (IOException | RuntimeException e) {
            SocketCalls.close(fd);
            throw e;
        }
        return take(io, fd, options);
    }

    private interface Naming {
        int with(java.lang.foreign.MemorySegment address);
    }

    private static void name(InetSocketAddress address, Naming call, String what) throws IOException {
        try (var arena = Arena.ofConfined()) {
            check(call.with(SocketAddresses.encode(address, arena)), what + SocketAddresses.text(address));
        }
    }

    private static int check(int status, String operation) throws IOException {
        if (status < 0) {
            throw IoErrors.of(status, operation);
        }
        return status;
    }

    /** Takes a socket of datagrams that was made elsewhere. */
    static Opened take(LoopIo io, RawSocket given, DatagramOptions options) throws IOException {
        int type;
        try {
            type = SocketOptions.get(given.fd(), libc.SOL_SOCKET(), libc.SO_TYPE());
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
        if (type != libc.SOCK_DGRAM()) {
            throw new IllegalArgumentException("not a socket of datagrams: " + given);
        }
        return take(io, given.detach(), options);
    }

    /** Gives a descriptor to libuv, which closes it with the handle; it is closed here when that fails. */
    private static Opened take(LoopIo io, int fd, DatagramOptions options) throws IOException {
        UvUdp socket;
        boolean batching;
        try {
            batching = options.batch() && SocketOptions.get(fd, libc.SOL_SOCKET(), libc.SO_DOMAIN()) != libc.AF_UNIX();
            socket = new UvUdp(io.uv(), batching);
        } catch (RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        try {
            socket.open(fd);
        } catch (UvException e) {
            socket.close();
            SocketCalls.close(fd);
            throw IoErrors.of(e);
        }
        try {
            if (options.sendBuffer() > 0) {
                socket.sendBufferSize(options.sendBuffer());
            }
            if (options.receiveBuffer() > 0) {
                socket.receiveBufferSize(options.receiveBuffer());
            }
            return connected(socket, fd, batching, socket.localAddress());
        } catch (UvException e) {
            socket.close();
            throw IoErrors.of(e);
        } catch (RuntimeException e) {
            // A name that Java has no address for.
            socket.close();
            throw e;
        }
    }

    private static Opened connected(UvUdp socket, int fd, boolean batching, @Nullable SocketAddress local) {
        try {
            return new Opened(socket, fd, batching, local, true, socket.peerAddress());
        } catch (UvException unconnected) {
            return new Opened(socket, fd, batching, local, false, null);
        }
    }
}
