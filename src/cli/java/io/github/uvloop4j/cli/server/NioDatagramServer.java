package io.github.uvloop4j.cli.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/** Baseline for datagrams: one selector thread and one direct buffer. */
public final class NioDatagramServer implements EchoServer {
    private static final int BUFFER_SIZE = 64 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    /** A server that does not listen yet. */
    public NioDatagramServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening)
            throws IOException {
        try (var selector = Selector.open();
                var channel = DatagramChannel.open()) {
            channel.bind(address);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            listening.accept(channel.getLocalAddress());
            while (true) {
                selector.select(_ -> echo(channel));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void echo(DatagramChannel channel) {
        try {
            for (var sender = receive(channel); sender != null; sender = receive(channel)) {
                channel.send(buffer.flip(), sender);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SocketAddress receive(DatagramChannel channel) throws IOException {
        return channel.receive(buffer.clear());
    }
}
