package io.github.uvloop4j.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Baseline: a virtual thread for each connection on the default scheduler, blocking channels, a direct buffer each; over
 * TLS the JDK's sockets and their streams.
 */
public final class VirtualThreadServer implements EchoServer {
    private static final int BUFFER_SIZE = 128 << 10;

    /** A server that does not listen yet. */
    public VirtualThreadServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening)
            throws IOException {
        if (options.tls() != null) {
            serve((InetSocketAddress) address, options.tls().context(), listening);
            return;
        }
        try (var server = open(address)) {
            server.bind(address, EchoOptions.BACKLOG);
            listening.accept(server.getLocalAddress());
            while (true) {
                var channel = server.accept();
                Thread.ofVirtual().start(() -> echo(channel));
            }
        }
    }

    private static ServerSocketChannel open(SocketAddress address) throws IOException {
        return address instanceof InetSocketAddress
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    private static void serve(InetSocketAddress address, SSLContext context, Consumer<SocketAddress> listening)
            throws IOException {
        try (var server = context.getServerSocketFactory()
                .createServerSocket(address.getPort(), EchoOptions.BACKLOG, address.getAddress())) {
            listening.accept(server.getLocalSocketAddress());
            while (true) {
                var socket = (SSLSocket) server.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        }
    }

    private static void echo(SocketChannel connection) {
        var buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        try (connection) {
            if (connection.getLocalAddress() instanceof InetSocketAddress) {
                connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            while (connection.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    connection.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }

    private static void echo(SSLSocket connection) {
        var buffer = new byte[BUFFER_SIZE];
        try (connection) {
            connection.setTcpNoDelay(true);
            var in = connection.getInputStream();
            var out = connection.getOutputStream();
            for (var length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                out.write(buffer, 0, length);
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }
}
