package io.github.uvloop4j.net;

/** What a server does with a connection, in a task of the connection's own. Loop thread only. */
@FunctionalInterface
public interface ConnectionHandler {
    /**
     * Serves a connection. When it returns, what was written goes out and the connection is closed; when it throws, or
     * is cancelled, the connection is aborted.
     *
     * @throws Exception goes to the loop's exception handler, unless it only says that the connection has ended: a
     *     SocketException, ClosedChannelException or {@link IncompleteReadException} after the peer's or our own end of
     *     it, or a CancellationException
     */
    void handle(Connection connection) throws Exception;
}
