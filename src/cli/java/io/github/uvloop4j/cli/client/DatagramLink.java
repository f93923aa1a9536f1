package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Datagrams to one server and from it.
 *
 * @param channel connected, so that the kernel tells when nobody listens
 */
record DatagramLink(DatagramChannel channel) implements Link {
    static DatagramLink connect(SocketAddress address) throws IOException {
        var channel = DatagramChannel.open();
        try {
            channel.connect(address);
            return new DatagramLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            return channel.read(target);
        } catch (PortUnreachableException e) {
            throw new IOException("nobody receives datagrams at " + channel.getRemoteAddress(), e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        try {
            return channel.write(source);
        } catch (PortUnreachableException e) {
            throw new IOException("nobody receives datagrams at " + channel.getRemoteAddress(), e);
        }
    }

    @Override
    public int largestWrite(int requestSize) {
        return requestSize;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
