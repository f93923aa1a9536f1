package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoopGroup;
import java.net.SocketAddress;

/** An echo server that runs on the loops of a group as well. */
public interface GroupEcho {
    /**
     * Begins to serve, until the group is shut down.
     *
     * @param address where to listen; port 0 takes a free one
     * @param options of its connections; the loops are the group's
     * @return the real address
     * @throws Exception if it cannot listen
     */
    SocketAddress listen(EventLoopGroup group, SocketAddress address, EchoOptions options) throws Exception;

    /** Whether it gets its connections by the group's steering; otherwise the kernel's hash of addresses is all there is. */
    default boolean isSteered() {
        return true;
    }
}
