package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listening sockets whose connections get a protocol or a task each, and the connections. Its loop keeps it until it is
 * closed. Loop thread only, but for the counts.
 *
 * <p>A connection with a task is open until both have ended.
 */
public interface Server extends AutoCloseable {
    /** The addresses it listens on; empty after close, and of a server without listening sockets. */
    List<SocketAddress> addresses();

    /** The first address. Throws IllegalStateException when there is none. */
    default SocketAddress address() {
        var all = addresses();
        if (all.isEmpty()) {
            throw new IllegalStateException("the server is closed, or has no listening socket");
        }
        return all.getFirst();
    }

    /**
     * The port of the first address.
     *
     * @throws IllegalStateException when there is none, or it is not an internet address
     */
    default int port() {
        if (address() instanceof InetSocketAddress internet) {
            return internet.getPort();
        }
        throw new IllegalStateException("a Unix socket has no port: " + address());
    }

    /** Whether it accepts connections. */
    boolean isServing();

    /** Starts accepting; a second call does nothing. */
    void startServing();

    /** Accepts until the future is cancelled, which closes the server. One waiter only. */
    LoopFuture<@Nullable Void> serveForever();

    /**
     * Serves a connection that was accepted elsewhere, by another loop or process, as one of this server's: with its
     * options, counted, and closed with its clients. The server owns the descriptor from now on, and closes it when
     * this throws, unless the socket is closed, given away or has an operation pending.
     *
     * @throws IllegalStateException when the server is closed, or the socket cannot be given away
     * @throws IOException when the socket is not connected, as one that listens
     */
    void adopt(RawSocket connection) throws IOException;

    /** Stops listening; connections live on. A second call does nothing. */
    @Override
    void close();

    /** Closes the connections once what was written has gone out. */
    void closeClients();

    /** Closes the connections at once, and cancels their tasks. */
    void abortClients();

    /**
     * Takes the connections that the kernel has established but nobody has accepted yet, stops listening, and gives all
     * connections until the limit to end by themselves. For the last tenth of it, at most a second, they are closed, so
     * that what was written goes out; at the limit they are aborted, and their tasks cancelled. A task that has not
     * ended a second after that is left to itself.
     *
     * <p>Cancelling the future leaves the server closed and its connections alone. A second call with a shorter limit
     * hurries the first.
     *
     * @param limit zero aborts at once; not negative
     * @return how many connections had to be aborted by a shutdown of this server; 0 when it ended in peace
     */
    LoopFuture<Integer> shutdown(Duration limit);

    /** How many connections are open. Any thread: a read without a lock, elsewhere than on the loop soon outdated. */
    int clientCount();

    /** How many connections were taken so far, those of {@link #adopt} included. Any thread, as {@link #clientCount}. */
    long acceptedCount();

    /** Done when the server is closed and its last connection has ended. */
    LoopFuture<@Nullable Void> waitClosed();
}
