package io.github.uvloop4j.net;

import java.util.Objects;

/**
 * How a server or listener is made. Immutable; each method that is named like a component and takes a value returns a changed copy. Any thread.
 *
 * @param backlog how many connections the kernel keeps until they are accepted, 1 or more
 * @param reusePort whether several servers may listen on the same address, and the kernel shares connections out
 * @param noDelay whether small writes are sent at once
 * @param keepAliveSeconds after how many idle seconds keep-alive probes start; 0 for none
 * @param startServing whether a server accepts from the start
 * @param writeLimits the water marks of the connections
 */
public record ServerOptions(
        int backlog,
        boolean reusePort,
        boolean noDelay,
        int keepAliveSeconds,
        boolean startServing,
        WriteLimits writeLimits) {
    private static final ServerOptions DEFAULTS = new ServerOptions(100, false, true, 0, true, WriteLimits.DEFAULT);

    /** Checks the ranges. */
    public ServerOptions {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be 1 or more: " + backlog);
        }
        if (keepAliveSeconds < 0) {
            throw new IllegalArgumentException("keepAliveSeconds must be 0 or more: " + keepAliveSeconds);
        }
        Objects.requireNonNull(writeLimits, "writeLimits");
    }

    /** The defaults. */
    public static ServerOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with another value: how many connections the kernel keeps until they are accepted, 1 or more. */
    public ServerOptions backlog(int value) {
        return new ServerOptions(value, reusePort, noDelay, keepAliveSeconds, startServing, writeLimits);
    }

    /** A copy with another value: whether several servers may listen on the same address, and the kernel shares connections out. */
    public ServerOptions reusePort(boolean value) {
        return new ServerOptions(backlog, value, noDelay, keepAliveSeconds, startServing, writeLimits);
    }

    /** A copy with another value: whether small writes are sent at once. */
    public ServerOptions noDelay(boolean value) {
        return new ServerOptions(backlog, reusePort, value, keepAliveSeconds, startServing, writeLimits);
    }

    /** A copy with another value: after how many idle seconds keep-alive probes start; 0 for none. */
    public ServerOptions keepAliveSeconds(int value) {
        return new ServerOptions(backlog, reusePort, noDelay, value, startServing, writeLimits);
    }

    /** A copy with another value: whether a server accepts from the start. */
    public ServerOptions startServing(boolean value) {
        return new ServerOptions(backlog, reusePort, noDelay, keepAliveSeconds, value, writeLimits);
    }

    /** A copy with another value: the water marks of the connections. */
    public ServerOptions writeLimits(WriteLimits value) {
        return new ServerOptions(backlog, reusePort, noDelay, keepAliveSeconds, startServing, value);
    }
}
