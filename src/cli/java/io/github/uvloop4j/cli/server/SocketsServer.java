package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.SocketType;
import io.github.uvloop4j.net.Sockets;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Raw sockets and futures, awaited in a task for each connection. */
public final class SocketsServer implements EchoServer, GroupEcho {
    private static final int BUFFER_SIZE = 256 << 10;

    /** A server that does not listen yet. */
    public SocketsServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening) throws Exception {
        options.run(loop -> {
            var sockets = loop.sockets();
            try (var server = listen(sockets, address, false)) {
                listening.accept(server.localAddress());
                accept(loop, server);
            }
        });
    }

    @Override
    public SocketAddress listen(EventLoopGroup group, SocketAddress address, EchoOptions options) throws Exception {
        var bound = address;
        for (var loop : group.loops()) {
            var wanted = bound;
            bound = loop.submit(() -> {
                        var server = listen(loop.sockets(), wanted, true);
                        loop.spawn(() -> {
                            try (server) {
                                accept(loop, server);
                            }
                        });
                        return server.localAddress();
                    })
                    .await();
        }
        return bound;
    }

    @Override
    public boolean isSteered() {
        return false;
    }

    private static RawSocket listen(Sockets sockets, SocketAddress address, boolean shared) throws IOException {
        var server = open(sockets, address);
        try {
            if (shared) {
                server.reusePort(true);
            }
            server.bind(address);
            server.listen(EchoOptions.BACKLOG);
            return server;
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    private static RawSocket open(Sockets sockets, SocketAddress address) throws IOException {
        if (!(address instanceof InetSocketAddress internet)) {
            return sockets.openUnix(SocketType.STREAM);
        }
        var v6 = internet.getAddress() instanceof Inet6Address;
        return sockets.openTcp(v6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    }

    private static void accept(EventLoop loop, RawSocket server) throws Exception {
        var sockets = loop.sockets();
        while (true) {
            var client = sockets.sockAccept(server).await().socket();
            loop.spawn(() -> echo(sockets, client));
        }
    }

    private static void echo(Sockets sockets, RawSocket accepted) throws Exception {
        var buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        try (accepted) {
            if (accepted.localAddress() instanceof InetSocketAddress) {
                accepted.noDelay(true);
            }
            while (sockets.sockRecvInto(accepted, buffer).await() >= 0) {
                sockets.sockSendAll(accepted, buffer.flip()).await();
                buffer.clear();
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }
}
