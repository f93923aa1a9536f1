package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listening sockets whose connections get a protocol each. Its loop keeps it until it is closed. Loop thread only. */
public interface Server extends AutoCloseable {
    /** The addresses it listens on; empty after close. */
    List<InetSocketAddress> addresses();

    /** The first address. Throws IllegalStateException after close. */
    default InetSocketAddress address() {
        var all = addresses();
        if (all.isEmpty()) {
            throw new IllegalStateException("the server is closed");
        }
        return all.getFirst();
    }

    /** Whether it accepts connections. */
    boolean isServing();

    /** Starts accepting; a second call does nothing. */
    void startServing();

    /** Accepts until the future is cancelled, which closes the server. One waiter only. */
    LoopFuture<@Nullable Void> serveForever();

    /** Stops listening; connections live on. A second call does nothing. */
    @Override
    void close();

    /** Closes the connections once what was written has gone out. */
    void closeClients();

    /** Closes the connections at once. */
    void abortClients();

    /** How many connections are open. */
    int clientCount();

    /** Done when the server is closed and its last connection has ended. */
    LoopFuture<@Nullable Void> waitClosed();
}
