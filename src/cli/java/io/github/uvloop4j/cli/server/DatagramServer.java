package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.DatagramTransport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Datagrams in callbacks: each goes back from the memory that it arrived in, or with others at the end of the turn. */
public final class DatagramServer implements EchoServer {
    private final boolean batch;

    /**
     * A server that does not listen yet.
     *
     * @param batch whether several datagrams are received and sent with one system call
     */
    public DatagramServer(boolean batch) {
        this.batch = batch;
    }

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening) throws Exception {
        try (var loop = options.newLoop()) {
            listening.accept(bind(loop, (InetSocketAddress) address));
            loop.runForever();
        }
    }

    private SocketAddress bind(EventLoop loop, InetSocketAddress address) throws Exception {
        var bound = DatagramOptions.bound(address.getAddress().getHostAddress(), address.getPort())
                .batch(batch);
        var transport = loop.runUntilComplete(loop.net().createDatagramEndpoint(Echo::new, bound))
                .transport();
        return java.util.Objects.requireNonNull(transport.localAddress());
    }

    /** What the water marks say is not heeded: nobody can be told to stop, and a late datagram may as well be lost. */
    private static final class Echo implements DatagramProtocol {
        @SuppressWarnings("NullAway.Init")
        private DatagramTransport transport;

        @Override
        public void connectionMade(DatagramTransport made) {
            transport = made;
        }

        @Override
        public void datagramReceived(ByteBuffer data, @Nullable SocketAddress sender) {
            if (sender != null) {
                transport.sendTo(data, sender);
            }
        }
    }
}
