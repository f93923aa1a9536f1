package io.github.uvloop4j.cli.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Baseline: a virtual thread for each connection on the default scheduler, blocking channels, a direct buffer each. */
public final class VirtualThreadServer implements EchoServer {
    private static final int BUFFER_SIZE = 128 << 10;

    /** A server that does not listen yet. */
    public VirtualThreadServer() {}

    @Override
    public void serve(SocketAddress address, Consumer<SocketAddress> listening) throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(address, Backlog.SIZE);
            listening.accept(server.getLocalAddress());
            while (true) {
                var channel = server.accept();
                Thread.ofVirtual().start(() -> echo(channel));
            }
        }
    }

    private static void echo(SocketChannel connection) {
        var buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        try (connection) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
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
}
