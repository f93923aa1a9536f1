package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a socket of datagrams, in callbacks: {@code connectionMade} once, then datagrams and errors, then
 * {@code connectionLost} once. What a callback throws goes to the loop's exception handler. Loop thread.
 */
public interface DatagramProtocol {
    /** The socket is there. Receiving starts after this. */
    default void connectionMade(DatagramTransport transport) {}

    /**
     * A datagram arrived, which may be empty. The buffer is borrowed: it is valid during this call only, and direct.
     *
     * @param sender null when it has no name, as Unix sockets may
     */
    void datagramReceived(ByteBuffer data, @Nullable SocketAddress sender);

    /**
     * The beginning of a datagram that was longer than there is room for arrived; the rest is lost. The default tells
     * {@link #errorReceived}.
     */
    default void truncatedReceived(ByteBuffer data, @Nullable SocketAddress sender) {
        errorReceived(new IOException(
                "a datagram of more than " + data.remaining() + " bytes from " + sender + " was cut off"));
    }

    /** Sending or receiving failed, perhaps of an earlier datagram; the socket goes on. */
    default void errorReceived(IOException error) {}

    /** The socket is closed: null after a close or abort of ours, else what broke it. */
    default void connectionLost(@Nullable Throwable cause) {}

    /** More than the high-water mark waits to be sent: stop sending. */
    default void pauseWriting() {}

    /** At most the low-water mark waits again. */
    default void resumeWriting() {}
}
