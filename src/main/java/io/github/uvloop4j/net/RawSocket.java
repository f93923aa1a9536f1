package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.SocketAddress;

/**
 * A non-blocking, close-on-exec socket for the {@code sock} methods of {@link Sockets}, the one owner of its
 * descriptor. Loop thread only.
 */
public interface RawSocket extends AutoCloseable {
    /** The descriptor. Throws IllegalStateException when it is closed or given away. */
    int fd();

    /**
     * Binds to an address, which for a stream may be used again while old connections linger. The file that appears at
     * the path of a Unix socket stays when it is closed.
     *
     * @throws IllegalArgumentException when the path of a Unix socket has not 1 to 107 bytes
     */
    void bind(SocketAddress address) throws IOException;

    /** Listens; a backlog of 1 or more. */
    void listen(int backlog) throws IOException;

    /** Sends small writes at once, or not. */
    void noDelay(boolean enable) throws IOException;

    /** Lets several sockets bind to the same address; before bind. */
    void reusePort(boolean enable) throws IOException;

    /** Ends the writing side. */
    void shutdownOutput() throws IOException;

    /** The own address. */
    SocketAddress localAddress() throws IOException;

    /** The peer's address. */
    SocketAddress peerAddress() throws IOException;

    /**
     * Who is at the other end of a connected Unix socket.
     *
     * @throws IllegalStateException when it is no Unix socket
     */
    PeerCredentials peerCredentials() throws IOException;

    /** Whether it is open and not given away. */
    boolean isOpen();

    /**
     * Gives the descriptor away: the caller owns it, and this socket is of no further use.
     *
     * @throws IllegalStateException when it is closed or given away, or an operation is pending
     */
    int detach();

    /** Closes it; an operation that is pending ends first, and the descriptor goes with it. */
    @Override
    void close();
}
