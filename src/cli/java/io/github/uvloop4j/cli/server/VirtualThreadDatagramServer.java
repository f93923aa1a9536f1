package io.github.uvloop4j.cli.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.function.Consumer;

/** Baseline for datagrams: one virtual thread that blocks in its channel. */
public final class VirtualThreadDatagramServer implements EchoServer {
    private static final int BUFFER_SIZE = 64 << 10;

    /** A server that does not listen yet. */
    public VirtualThreadDatagramServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening)
            throws IOException, InterruptedException {
        try (var channel = DatagramChannel.open()) {
            channel.bind(address);
            listening.accept(channel.getLocalAddress());
            var server = Thread.ofVirtual().start(() -> echo(channel));
            server.join();
        }
    }

    private static void echo(DatagramChannel channel) {
        var buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        try {
            while (true) {
                var sender = channel.receive(buffer.clear());
                channel.send(buffer.flip(), sender);
            }
        } catch (IOException _) {
            // The socket is gone.
        }
    }
}
