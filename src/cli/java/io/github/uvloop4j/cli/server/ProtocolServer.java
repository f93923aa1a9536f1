package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Callbacks: what arrives is written back from the buffer it arrived in. */
public final class ProtocolServer implements EchoServer, GroupEcho {
    /** A server that does not listen yet. */
    public ProtocolServer() {}

    @Override
    public void serve(InetSocketAddress address, Consumer<InetSocketAddress> listening) throws Exception {
        try (var loop = EventLoop.create()) {
            var host = address.getAddress().getHostAddress();
            var server = loop.runUntilComplete(
                    loop.net().createServer(Echo::new, host, address.getPort(), Backlog.options()));
            listening.accept(server.address());
            loop.runForever();
        }
    }

    @Override
    public InetSocketAddress listen(EventLoopGroup group, InetSocketAddress address) throws IOException {
        var host = address.getAddress().getHostAddress();
        return group.createServer(Echo::new, host, address.getPort(), Backlog.options())
                .address();
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
