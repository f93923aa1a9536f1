package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * A TCP or Unix stream.
 *
 * @param channel connected
 */
record StreamLink(SocketChannel channel) implements Link {
    static StreamLink connect(SocketAddress address, Duration timeout) throws IOException {
        if (!(address instanceof InetSocketAddress)) {
            return new StreamLink(SocketChannel.open(address));
        }
        var channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(address, (int) timeout.toMillis());
            return new StreamLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
