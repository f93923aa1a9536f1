package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A socket of datagrams for tasks. One task at a time may wait to receive and one to send. What nobody waits for is kept,
 * 256 datagrams at most; then it is left to the kernel, which drops what is too much. Loop thread only.
 */
public interface DatagramEndpoint extends DatagramSettings, AutoCloseable {
    /**
     * Waits for a datagram.
     *
     * @throws IOException when an earlier one could not be delivered, as {@link java.net.PortUnreachableException} says;
     *     the socket goes on
     * @throws java.nio.channels.ClosedChannelException when it is or gets closed
     */
    Datagram receive() throws IOException;

    /**
     * Waits for a datagram and puts it into a buffer, whose position moves. What does not fit is lost, see
     * {@link Received#truncated}. Errors as for {@link #receive()}.
     */
    Received receive(ByteBuffer target) throws IOException;

    /**
     * Sends a datagram to the peer of a connected socket; waits while more than the high-water mark waits to be sent.
     *
     * @throws IOException when the kernel refuses it, or tells that an earlier one could not be delivered
     * @throws IllegalStateException when the socket is not connected
     */
    void sendTo(ByteBuffer data) throws IOException;

    /** Sends a datagram to an address. Errors as for {@link #sendTo(ByteBuffer)} and {@link DatagramTransport#sendTo}. */
    void sendTo(ByteBuffer data, SocketAddress target) throws IOException;

    /** Waits until all that was sent has gone. */
    void flush() throws IOException;

    @Override
    void close();
}
