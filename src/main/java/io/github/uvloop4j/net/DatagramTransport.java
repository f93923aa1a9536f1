package io.github.uvloop4j.net;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** The sending side of a protocol's socket of datagrams. Loop thread only. */
public interface DatagramTransport extends DatagramSettings {
    /**
     * Sends the buffer's remaining bytes as one datagram, which may be empty, to the peer of a connected socket. What
     * the kernel does not take at once is copied and sent later. Errors go to the protocol. After close it is dropped.
     *
     * @throws IllegalStateException when the socket is not connected
     */
    void sendTo(ByteBuffer data);

    /**
     * Sends a datagram to an address.
     *
     * @throws IllegalArgumentException when the address is unresolved, of another family than the socket, or another
     *     than that of a connected socket's peer
     */
    void sendTo(ByteBuffer data, SocketAddress target);

    /**
     * Stops the flow of datagrams to the protocol until {@link #resumeReading}: the kernel keeps some, drops others. When
     * they come in batches, up to seven that were received with the last one are lost.
     */
    void pauseReading();

    /** Lets datagrams flow again. */
    void resumeReading();

    /** Whether it is receiving: neither paused nor closing. */
    boolean isReading();

    /** The protocol. */
    DatagramProtocol protocol();
}
