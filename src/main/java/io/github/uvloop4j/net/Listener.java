package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/** Listening sockets for tasks. Its loop keeps it until it is closed. Loop thread only. */
public interface Listener extends AutoCloseable {
    /** The addresses it listens on; empty after close. */
    List<SocketAddress> addresses();

    /** The first address. Throws IllegalStateException after close. */
    default SocketAddress address() {
        var all = addresses();
        if (all.isEmpty()) {
            throw new IllegalStateException("the listener is closed");
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

    /**
     * Waits for a connection; several tasks may wait and are served in their order. Parks the task.
     *
     * @throws java.nio.channels.ClosedChannelException when it is closed
     * @throws IOException when accepting fails
     */
    Connection accept() throws IOException;

    /** Stops listening; connections live on, and tasks in accept fail. A second call does nothing. */
    @Override
    void close();
}
