package io.github.uvloop4j.pool;

import io.github.uvloop4j.net.Connection;

/**
 * What a pool must know of its connections: how one is made, whether it may serve again, how it ends. A lambda that
 * connects is enough for a {@link Connection}; a client of a protocol overrides the rest as well. Loop thread only.
 *
 * @param <C> what is pooled
 */
@FunctionalInterface
public interface Connector<C extends AutoCloseable> {
    /**
     * Makes a connection. Runs in the task that acquires and may await. When it fails or is cancelled it must leave
     * nothing open.
     *
     * @throws Exception which the caller of acquire gets, itself
     */
    C connect() throws Exception;

    /**
     * Whether nothing of the last exchange is left, and nothing bad is known of the connection. Asked when it comes back
     * and again before it serves; it must not await and should cost no system call. For a {@link Connection} this is
     * {@link Connection#isIdle}, for everything else true.
     */
    default boolean isClean(C connection) {
        return !(connection instanceof Connection stream) || stream.isIdle();
    }

    /**
     * Whether the peer still answers, a PING for instance. Asked, in the task that acquires, only before a connection
     * serves that was idle for {@link PoolOptions#validateAfterIdle} or longer; may await. True unless overridden.
     *
     * @throws Exception which counts as no
     */
    default boolean isAlive(C connection) throws Exception {
        return true;
    }

    /**
     * Whether a connection may serve again although the body of a call threw this: an error that the peer reported in a
     * complete reply, for instance. Never asked for a cancelled task. False unless overridden.
     */
    default boolean reusableAfter(Throwable failure) {
        return false;
    }

    /**
     * Closes a connection. It must not await, since it may run as a callback. It closes, and aborts a {@link Connection}
     * whose last exchange may be half done, so that the rest of a request does not go out.
     *
     * @throws Exception which goes to the loop's exception handler
     */
    default void discard(C connection, DiscardReason reason) throws Exception {
        boolean halfDone = reason == DiscardReason.FAILED || reason == DiscardReason.DROPPED;
        if (!(connection instanceof Connection stream)) {
            connection.close();
        } else if (!stream.isClosing()) {
            if (halfDone) {
                stream.abort();
            } else {
                stream.close();
            }
        }
    }
}
