package io.github.uvloop4j.cli.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * Baseline: one selector thread and one direct buffer. A reply is written at once; only what the socket does not take
 * is copied, and then nothing more is read from that connection until it is gone.
 */
public final class NioServer implements EchoServer {
    private static final int BUFFER_SIZE = 256 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    /** A server that does not listen yet. */
    public NioServer() {}

    @Override
    public void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening)
            throws IOException {
        try (var selector = Selector.open();
                var server = open(address)) {
            server.bind(address, EchoOptions.BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            listening.accept(server.getLocalAddress());
            while (true) {
                selector.select(this::ready);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ServerSocketChannel open(SocketAddress address) throws IOException {
        return address instanceof InetSocketAddress
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    private void ready(SelectionKey key) {
        if (key.channel() instanceof ServerSocketChannel server) {
            accept(server, key.selector());
            return;
        }
        var channel = (SocketChannel) key.channel();
        try {
            if (key.isReadable()) {
                read(key, channel);
            } else if (key.isWritable()) {
                writeRest(key, channel, (ByteBuffer) key.attachment());
            }
        } catch (IOException _) {
            close(channel);
        }
    }

    private static void accept(ServerSocketChannel server, Selector selector) {
        try {
            for (var channel = server.accept(); channel != null; channel = server.accept()) {
                channel.configureBlocking(false);
                if (server.getLocalAddress() instanceof InetSocketAddress) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                channel.register(selector, SelectionKey.OP_READ);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(SelectionKey key, SocketChannel channel) throws IOException {
        buffer.clear();
        if (channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        buffer.flip();
        channel.write(buffer);
        if (buffer.hasRemaining()) {
            var rest = key.attachment() instanceof ByteBuffer used ? used : ByteBuffer.allocateDirect(BUFFER_SIZE);
            key.attach(rest.clear().put(buffer).flip());
            key.interestOps(SelectionKey.OP_WRITE);
        }
    }

    private static void writeRest(SelectionKey key, SocketChannel channel, ByteBuffer rest) throws IOException {
        channel.write(rest);
        if (!rest.hasRemaining()) {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // The connection is broken already.
        }
    }
}
