package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Callbacks: what arrives is written back from the buffer it arrived in. */
public final class ProtocolServer implements EchoServer, GroupEcho {
    /** A server that does not listen yet. */
    public ProtocolServer() {}

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

    private static final class Echo implements Protocol {
        @SuppressWarnings("NullAway.Init")
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            transport.write(data);
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
