package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;

/** Two sockets of the JDK, connected with each other and non-blocking. */
final class SocketPair implements AutoCloseable {
    /** How many calls a round trip is. */
    static final int CALLS = 4;

    private final SocketChannel left;
    private final SocketChannel right;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    SocketPair() throws IOException {
        var directory = Files.createTempDirectory("uvloop4j-pair");
        var path = directory.resolve("socket");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            left = SocketChannel.open(server.getLocalAddress());
            right = server.accept();
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
        left.configureBlocking(false);
        right.configureBlocking(false);
    }

    SocketChannel channel() {
        return left;
    }

    /** What is written can be read at once: nobody waits. */
    void roundTrips(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            pass(left, right);
            pass(right, left);
        }
    }

    private void pass(SocketChannel from, SocketChannel to) throws IOException {
        buffer.clear();
        int sent = from.write(buffer);
        buffer.clear();
        int received = to.read(buffer);
        if (sent != received) {
            throw new IOException("sent " + sent + ", received " + received);
        }
    }

    @Override
    public void close() throws IOException {
        left.close();
        right.close();
    }
}
