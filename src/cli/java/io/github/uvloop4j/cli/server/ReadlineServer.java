package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.IncompleteReadException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** Linear code that sends back line by line, whatever arrives together. */
public final class ReadlineServer implements EchoServer, GroupEcho {
    private static final int LONGEST_LINE = 256_000;
    private static final byte[] NEWLINE = {'\n'};

    /** A server that does not listen yet. */
    public ReadlineServer() {}

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
        return group.startServer(ReadlineServer::echo, address, options.server())
                .address();
    }

    private static void echo(Connection accepted) {
        try (accepted) {
            accepted.readLimit(LONGEST_LINE);
            while (true) {
                accepted.write(accepted.readUntil(NEWLINE));
            }
        } catch (IncompleteReadException _) {
            // The end of the stream.
        } catch (IOException _) {
            // The client is gone, or its line is too long.
        }
    }
}
