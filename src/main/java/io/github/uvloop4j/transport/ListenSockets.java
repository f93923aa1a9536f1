package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binding sockets that are to listen, and making connections of what they accept. */
final class ListenSockets {
    private static final int MOST_TRIES = 10;

    private ListenSockets() {}

    /** Binds a socket to an address of any kind. */
    static List<ListenSocket> bind(LoopIo io, SocketAddress address, ServerOptions options) throws IOException {
        return address instanceof InetSocketAddress internet
                ? bind(io, List.of(internet), options)
                : List.of(UnixBinding.bind(io, address, options));
    }

    /** Binds a socket to each address; with port 0 the later ones get the port of the first. */
    static List<ListenSocket> bind(LoopIo io, List<InetSocketAddress> addresses, ServerOptions options)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                return bindAll(io, addresses, options);
            } catch (BindException taken) {
                // The port that the first was given may be another's in the second family.
                if (i == MOST_TRIES
                        || addresses.size() < 2
                        || addresses.getFirst().getPort() != 0) {
                    throw taken;
                }
            }
        }
    }

    private static List<ListenSocket> bindAll(LoopIo io, List<InetSocketAddress> addresses, ServerOptions options)
            throws IOException {
        var bound = new ArrayList<ListenSocket>();
        try {
            for (var address : addresses) {
                bindOne(io, address, options, bound);
            }
        } catch (IOException | RuntimeException error) {
            bound.forEach(ListenSocket::close);
            throw error;
        }
        return bound;
    }

    private static void bindOne(LoopIo io, InetSocketAddress address, ServerOptions options, List<ListenSocket> bound)
            throws IOException {
        boolean v6 = address.getAddress() instanceof Inet6Address;
        int type = libc.SOCK_STREAM() | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int fd = SocketCalls.socket(v6 ? libc.AF_INET6() : libc.AF_INET(), type, libc.IPPROTO_TCP());
        if (fd < 0) {
            if (v6 && !bound.isEmpty() && fd == UvErrno.EAFNOSUPPORT.code()) {
                return;
            }
            throw IoErrors.of(fd, "socket");
        }
        int port = address.getPort() == 0 && !bound.isEmpty()
                ? SocketNames.port(bound.getFirst().address())
                : address.getPort();
        var target = new InetSocketAddress(address.getAddress(), port);
        int status;
        SocketAddress name;
        try {
            status = bind(fd, target, v6, options);
            name = status < 0 ? target : SocketNames.local(fd);
        } catch (RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        if (status >= 0) {
            bound.add(new ListenSocket(io, fd, name, null));
            return;
        }
        SocketCalls.close(fd);
        if (!v6 || bound.isEmpty() || status != UvErrno.EADDRNOTAVAIL.code()) {
            throw IoErrors.of(status, "bind " + SocketAddresses.text(target));
        }
    }

    private static int bind(int fd, InetSocketAddress target, boolean v6, ServerOptions options) {
        Tuning.of(options).early(fd);
        if (options.reuseAddress()) {
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_REUSEADDR(), 1);
        }
        if (options.reusePort()) {
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_REUSEPORT(), 1);
        }
        if (v6) {
            SocketOptions.set(fd, libc.IPPROTO_IPV6(), libc.IPV6_V6ONLY(), options.dualStack() ? 0 : 1);
        }
        try (var arena = Arena.ofConfined()) {
            return SocketCalls.bind(fd, SocketAddresses.encode(target, arena));
        }
    }

    /** Takes over a socket that was made elsewhere, bound or listening. */
    static ListenSocket take(LoopIo io, RawSocket socket) throws IOException {
        TakenSockets.checkStream(socket);
        var address = socket.localAddress();
        return new ListenSocket(io, socket.detach(), address, null);
    }

    /** The connection of an accepted descriptor; null when it is gone already, which is no news. */
    static @Nullable UvStream connection(LoopIo io, int fd, boolean unix, Tuning tuning) {
        UvStream client;
        try {
            client = TakenSockets.open(io, fd, unix);
        } catch (IOException e) {
            io.context().report("accepting failed", e, null);
            return null;
        }
        try {
            tuning.late(client);
            return client;
        } catch (UvException gone) {
            client.close();
            return null;
        }
    }
}
