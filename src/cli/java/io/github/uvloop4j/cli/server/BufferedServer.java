package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Callbacks with a buffer of its own for each connection. */
public final class BufferedServer implements EchoServer, GroupEcho {
    private static final int BUFFER_SIZE = 256 << 10;

    /** A server that does not listen yet. */
    public BufferedServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening) throws Exception {
        try (var loop = options.newLoop()) {
            var server = loop.runUntilComplete(loop.net().createServer(Echo::new, address, options.server()));
            listening.accept(server.address());
            loop.runForever();
        }
    }

    @Override
    public SocketAddress listen(EventLoopGroup group, SocketAddress address, EchoOptions options) throws IOException {
        return group.createServer(Echo::new, address, options.server()).address();
    }

    private static final class Echo implements BufferedProtocol {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

        @SuppressWarnings("NullAway.Init")
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            return buffer.clear();
        }

        @Override
        public void bufferUpdated(int count) {
            transport.write(buffer.limit(count));
        }

        @Override
        public void pauseWriting() {
            transport.pauseReading();
        }

        @Override
        public void resumeWriting() {
            transport.resumeReading();
        }
    }
}
