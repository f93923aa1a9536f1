package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.IncompleteReadException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** Linear code that sends back line by line, whatever arrives together. */
public final class ReadlineServer implements EchoServer, GroupEcho {
    private static final int LONGEST_LINE = 256_000;
    private static final byte[] NEWLINE = {'\n'};

    /** A server that does not listen yet. */
    public ReadlineServer() {}

    @Override
    public void serve(InetSocketAddress address, Consumer<InetSocketAddress> listening) throws Exception {
        EventLoop.run(loop -> {
            var host = address.getAddress().getHostAddress();
            try (var server = loop.net().listen(host, address.getPort(), Backlog.options())) {
                listening.accept(server.address());
                while (true) {
                    var connection = server.accept();
                    loop.spawn(() -> echo(connection));
                }
            }
        });
    }

    @Override
    public InetSocketAddress listen(EventLoopGroup group, InetSocketAddress address) throws IOException {
        var host = address.getAddress().getHostAddress();
        return group.startServer(ReadlineServer::echo, host, address.getPort(), Backlog.options())
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
