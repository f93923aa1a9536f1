package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Linear code: a task for each connection, which reads into a buffer of its own. */
public final class StreamsServer implements EchoServer, GroupEcho {
    private static final int BUFFER_SIZE = 128 << 10;

    /** A server that does not listen yet. */
    public StreamsServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening) throws Exception {
        options.run(loop -> {
            try (var server = loop.net().listen(address, options.server())) {
                listening.accept(server.address());
                while (true) {
                    var connection = server.accept();
                    loop.spawn(() -> echo(connection));
                }
            }
        });
    }

    @Override
    public SocketAddress listen(EventLoopGroup group, SocketAddress address, EchoOptions options) throws IOException {
        return group.startServer(StreamsServer::echo, address, options.server()).address();
    }

    private static void echo(Connection accepted) {
        var buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        try (accepted) {
            while (accepted.read(buffer) >= 0) {
                accepted.write(buffer.flip());
                buffer.clear();
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }
}
