package io.github.uvloop4j.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is made. Immutable; each method that is named like a component and takes a value returns a changed copy. Any thread.
 *
 * @param localAddress the address to connect from, or null for the kernel's choice
 * @param noDelay whether small writes are sent at once
 * @param keepAliveSeconds after how many idle seconds keep-alive probes start; 0 for none
 * @param timeout how long connecting may take, over all addresses, or null for the kernel's limit
 * @param writeLimits the water marks
 */
public record ConnectOptions(
        @Nullable InetSocketAddress localAddress,
        boolean noDelay,
        int keepAliveSeconds,
        @Nullable Duration timeout,
        WriteLimits writeLimits) {
    private static final ConnectOptions DEFAULTS = new ConnectOptions(null, true, 0, null, WriteLimits.DEFAULT);

    /** Checks the ranges. */
    public ConnectOptions {
        if (keepAliveSeconds < 0) {
            throw new IllegalArgumentException("keepAliveSeconds must be 0 or more: " + keepAliveSeconds);
        }
        if (localAddress != null && localAddress.isUnresolved()) {
            throw new IllegalArgumentException("unresolved local address: " + localAddress);
        }
        Objects.requireNonNull(writeLimits, "writeLimits");
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("timeout must be positive: " + timeout);
        }
    }

    /** The defaults. */
    public static ConnectOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with another value: the address to connect from, or null for the kernel's choice. */
    public ConnectOptions localAddress(@Nullable InetSocketAddress value) {
        return new ConnectOptions(value, noDelay, keepAliveSeconds, timeout, writeLimits);
    }

    /** A copy with another value: whether small writes are sent at once. */
    public ConnectOptions noDelay(boolean value) {
        return new ConnectOptions(localAddress, value, keepAliveSeconds, timeout, writeLimits);
    }

    /** A copy with another value: after how many idle seconds keep-alive probes start; 0 for none. */
    public ConnectOptions keepAliveSeconds(int value) {
        return new ConnectOptions(localAddress, noDelay, value, timeout, writeLimits);
    }

    /** A copy with another value: how long connecting may take, over all addresses, or null for the kernel's limit. */
    public ConnectOptions timeout(@Nullable Duration value) {
        return new ConnectOptions(localAddress, noDelay, keepAliveSeconds, value, writeLimits);
    }

    /** A copy with another value: the water marks. */
    public ConnectOptions writeLimits(WriteLimits value) {
        return new ConnectOptions(localAddress, noDelay, keepAliveSeconds, timeout, value);
    }
}
