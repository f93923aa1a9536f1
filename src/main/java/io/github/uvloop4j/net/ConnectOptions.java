package io.github.uvloop4j.net;

import io.github.uvloop4j.tls.ClientTls;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is made. Immutable; each method that is named like a component and takes a value returns a changed copy.
 * What only internet sockets have is ignored for Unix ones. Any thread.
 *
 * @param localAddress the address to connect from, or null for the kernel's choice
 * @param family {@code StandardProtocolFamily.INET} or {@code INET6} for addresses of this family only, or null for both
 * @param attemptDelay how long an address is tried before the next, of the other family if there is one, is tried beside
 *     it; less than 10 ms counts as 10 ms; null to try one after another, as the resolver has them
 * @param noDelay whether small writes are sent at once
 * @param keepAliveSeconds after how many idle seconds keep-alive probes start; 0 for none
 * @param sendBuffer the size of the kernel's send buffer in bytes; 0 for its default
 * @param receiveBuffer the size of the kernel's receive buffer in bytes; 0 for its default
 * @param resetOnClose whether the kernel drops what it has not delivered at close, and resets the connection
 * @param timeout how long connecting may take, with the look-up and over all addresses, or null for the kernel's limit
 * @param writeLimits the water marks; with TLS the default is 512 KiB and 128 KiB
 * @param tls how it is secured; null for not at all
 */
public record ConnectOptions(
        @Nullable SocketAddress localAddress,
        @Nullable ProtocolFamily family,
        @Nullable Duration attemptDelay,
        boolean noDelay,
        int keepAliveSeconds,
        int sendBuffer,
        int receiveBuffer,
        boolean resetOnClose,
        @Nullable Duration timeout,
        WriteLimits writeLimits,
        @Nullable ClientTls tls) {
    private static final ConnectOptions DEFAULTS = new ConnectOptions(
            null, null, Duration.ofMillis(250), true, 0, 0, 0, false, null, WriteLimits.DEFAULT, null);

    /** Checks the ranges. */
    public ConnectOptions {
        if (keepAliveSeconds < 0) {
            throw new IllegalArgumentException("keepAliveSeconds must be 0 or more: " + keepAliveSeconds);
        }
        if (sendBuffer < 0 || receiveBuffer < 0) {
            throw new IllegalArgumentException("negative buffer size: " + Math.min(sendBuffer, receiveBuffer));
        }
        if (localAddress instanceof InetSocketAddress internet && internet.isUnresolved()) {
            throw new IllegalArgumentException("unresolved local address: " + localAddress);
        }
        if (family != null && family != StandardProtocolFamily.INET && family != StandardProtocolFamily.INET6) {
            throw new IllegalArgumentException("family must be INET or INET6: " + family);
        }
        Objects.requireNonNull(writeLimits, "writeLimits");
        checkPositive("attemptDelay", attemptDelay);
        checkPositive("timeout", timeout);
    }

    /** The defaults. */
    public static ConnectOptions defaults() {
        return DEFAULTS;
    }

    /** The components while some of them are changed. */
    private static final class Draft {
        private @Nullable SocketAddress localAddress;
        private @Nullable ProtocolFamily family;
        private @Nullable Duration attemptDelay;
        private boolean noDelay;
        private int keepAliveSeconds;
        private int sendBuffer;
        private int receiveBuffer;
        private boolean resetOnClose;
        private @Nullable Duration timeout;
        private WriteLimits writeLimits;
        private @Nullable ClientTls tls;

        Draft(ConnectOptions from) {
            localAddress = from.localAddress;
            family = from.family;
            attemptDelay = from.attemptDelay;
            noDelay = from.noDelay;
            keepAliveSeconds = from.keepAliveSeconds;
            sendBuffer = from.sendBuffer;
            receiveBuffer = from.receiveBuffer;
            resetOnClose = from.resetOnClose;
            timeout = from.timeout;
            writeLimits = from.writeLimits;
            tls = from.tls;
        }

        ConnectOptions options() {
            return new ConnectOptions(
                    localAddress,
                    family,
                    attemptDelay,
                    noDelay,
                    keepAliveSeconds,
                    sendBuffer,
                    receiveBuffer,
                    resetOnClose,
                    timeout,
                    writeLimits,
                    tls);
        }
    }

    private ConnectOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** A copy with another value: the address to connect from, or null for the kernel's choice. */
    public ConnectOptions localAddress(@Nullable SocketAddress value) {
        return with(draft -> draft.localAddress = value);
    }

    /** A copy with another value: {@code StandardProtocolFamily.INET} or {@code INET6} for addresses of this family only, or null for both. */
    public ConnectOptions family(@Nullable ProtocolFamily value) {
        return with(draft -> draft.family = value);
    }

    /** A copy with another value: how long an address is tried before the next is tried beside it; null to try one after another. */
    public ConnectOptions attemptDelay(@Nullable Duration value) {
        return with(draft -> draft.attemptDelay = value);
    }

    /** A copy with another value: whether small writes are sent at once. */
    public ConnectOptions noDelay(boolean value) {
        return with(draft -> draft.noDelay = value);
    }

    /** A copy with another value: after how many idle seconds keep-alive probes start; 0 for none. */
    public ConnectOptions keepAliveSeconds(int value) {
        return with(draft -> draft.keepAliveSeconds = value);
    }

    /** A copy with another value: the size of the kernel's send buffer in bytes; 0 for its default. */
    public ConnectOptions sendBuffer(int value) {
        return with(draft -> draft.sendBuffer = value);
    }

    /** A copy with another value: the size of the kernel's receive buffer in bytes; 0 for its default. */
    public ConnectOptions receiveBuffer(int value) {
        return with(draft -> draft.receiveBuffer = value);
    }

    /** A copy with another value: whether the kernel drops what it has not delivered at close, and resets the connection. */
    public ConnectOptions resetOnClose(boolean value) {
        return with(draft -> draft.resetOnClose = value);
    }

    /** A copy with another value: how long connecting may take, with the look-up and over all addresses, or null for the kernel's limit. */
    public ConnectOptions timeout(@Nullable Duration value) {
        return with(draft -> draft.timeout = value);
    }

    /** A copy with another value: the water marks. */
    public ConnectOptions writeLimits(WriteLimits value) {
        return with(draft -> draft.writeLimits = value);
    }

    /**
     * A copy with another value: how it is secured; null for not at all. The name to verify is the host that is connected
     * to, unless it has a {@code serverName}. The timeout does not cover the handshake, which has its own.
     */
    public ConnectOptions tls(@Nullable ClientTls value) {
        return with(draft -> draft.tls = value);
    }

    private static void checkPositive(String what, @Nullable Duration value) {
        if (value != null && (value.isNegative() || value.isZero())) {
            throw new IllegalArgumentException(what + " must be positive: " + value);
        }
    }
}
