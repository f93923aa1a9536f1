package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binding and listening, shared by servers and listeners. */
final class TcpListeners {
    private TcpListeners() {}

    /** What a listening socket tells: that a connection waits to be accepted. */
    interface Incoming {
        void connectionWaits(UvTcp listener);
    }

    /** Binds a handle to each address; with port 0 the later ones get the port of the first. */
    static List<UvTcp> bind(LoopIo io, List<InetSocketAddress> addresses, ServerOptions options) throws IOException {
        var bound = new ArrayList<UvTcp>();
        try {
            for (var address : addresses) {
                bindOne(io, address, options, bound);
            }
        } catch (IOException | RuntimeException error) {
            bound.forEach(UvTcp::close);
            throw error;
        }
        return bound;
    }

    private static void bindOne(LoopIo io, InetSocketAddress address, ServerOptions options, List<UvTcp> bound)
            throws IOException {
        boolean v6 = address.getAddress() instanceof Inet6Address;
        UvTcp tcp;
        try {
            tcp = new UvTcp(io.uv(), v6);
        } catch (UvException e) {
            if (v6 && !bound.isEmpty() && e.errno() == UvErrno.EAFNOSUPPORT) {
                return;
            }
            throw IoErrors.of(e);
        }
        int port = address.getPort() == 0 && !bound.isEmpty() ? port(bound.getFirst()) : address.getPort();
        var target = new InetSocketAddress(address.getAddress(), port);
        try {
            if (options.reusePort()) {
                SocketOptions.set(tcp.fileno(), libc.SOL_SOCKET(), libc.SO_REUSEPORT(), 1);
            }
            tcp.bind(target, v6);
            checkBound(tcp, target);
            bound.add(tcp);
        } catch (UvException e) {
            tcp.close();
            if (v6 && !bound.isEmpty() && e.errno() == UvErrno.EADDRNOTAVAIL) {
                return;
            }
            throw IoErrors.of(e);
        }
    }

    /** libuv keeps to itself that an address is in use until it listens, and then does not tell the address either. */
    private static void checkBound(UvTcp tcp, InetSocketAddress target) {
        try {
            tcp.localAddress();
        } catch (UvException e) {
            throw new UvException(e.errno().code(), "bind " + SocketAddresses.text(target));
        }
    }

    private static int port(UvTcp tcp) {
        return tcp.localAddress().getPort();
    }

    static void listen(UvTcp tcp, int backlog, Incoming incoming, LoopIo io) throws IOException {
        try {
            tcp.listen(backlog, status -> {
                if (status < 0) {
                    io.context().report("accepting failed", IoErrors.of(status, "accept"), null);
                } else {
                    incoming.connectionWaits(tcp);
                }
            });
        } catch (UvException e) {
            var name = SocketAddresses.text(tcp.localAddress());
            throw IoErrors.of(e.errno().code(), "listen on " + name);
        }
    }

    /** Takes the connection that waits; null when it is gone already. */
    static @Nullable UvTcp accept(LoopIo io, UvTcp listener, ServerOptions options) {
        var client = new UvTcp(io.uv());
        try {
            listener.accept(client);
            TakenSockets.configure(client, options.noDelay(), options.keepAliveSeconds());
            return client;
        } catch (UvException e) {
            client.close();
            io.context().report("accepting failed", IoErrors.of(e), null);
            return null;
        }
    }

    /**
     * Takes a connection that the kernel has established and libuv has not accepted, which closing the listener would
     * reset; null when there is none.
     */
    static @Nullable UvTcp acceptWaiting(LoopIo io, UvTcp listener, ServerOptions options) {
        int flags = libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int fd;
        do {
            fd = SocketCalls.accept(listener.fileno(), MemorySegment.NULL, MemorySegment.NULL, flags);
        } while (fd == UvErrno.ECONNABORTED.code() || fd == UvErrno.EINTR.code());
        if (fd < 0) {
            if (!IoErrors.isRetry(fd)) {
                io.context().report("accepting failed", IoErrors.of(fd, "accept"), null);
            }
            return null;
        }
        try {
            return TakenSockets.connected(io, fd, options.noDelay(), options.keepAliveSeconds());
        } catch (IOException e) {
            // It has ended already.
            return null;
        }
    }
}
