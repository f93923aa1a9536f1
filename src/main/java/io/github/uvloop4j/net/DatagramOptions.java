package io.github.uvloop4j.net;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a socket of datagrams is bound and connected, and how. Immutable; each method that is named like a component and
 * takes a value returns a changed copy. Any thread.
 *
 * @param localHost the address or name to bind to; null for every interface
 * @param localPort the port to bind to, 0 for one that the kernel chooses; -1 not to bind, so that the kernel chooses when
 *     it is connected
 * @param remoteHost the address or name to connect to; null not to connect
 * @param remotePort the port to connect to
 * @param reusePort whether several sockets may be bound to the same address, and the kernel shares datagrams out
 * @param broadcast whether it may send to broadcast addresses
 * @param batch whether datagrams are received, and those of one turn sent, several with one system call; sending waits
 *     for the end of the turn then
 * @param sendBuffer the size of the kernel's send buffer in bytes; 0 for its default
 * @param receiveBuffer the size of the kernel's receive buffer in bytes; 0 for its default
 * @param writeLimits the water marks
 */
public record DatagramOptions(
        @Nullable String localHost,
        int localPort,
        @Nullable String remoteHost,
        int remotePort,
        boolean reusePort,
        boolean broadcast,
        boolean batch,
        int sendBuffer,
        int receiveBuffer,
        WriteLimits writeLimits) {
    private static final DatagramOptions DEFAULTS =
            new DatagramOptions(null, -1, null, -1, false, false, false, 0, 0, WriteLimits.DEFAULT);

    /** Checks the ranges. */
    public DatagramOptions {
        checkPort(localPort);
        checkPort(remotePort);
        if (sendBuffer < 0 || receiveBuffer < 0) {
            throw new IllegalArgumentException("negative buffer size: " + Math.min(sendBuffer, receiveBuffer));
        }
        Objects.requireNonNull(writeLimits, "writeLimits");
    }

    private static void checkPort(int port) {
        if (port < -1 || port > 0xffff) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + port);
        }
    }

    /** Neither bound nor connected. */
    public static DatagramOptions defaults() {
        return DEFAULTS;
    }

    /** The defaults, bound to an address. */
    public static DatagramOptions bound(@Nullable String host, int port) {
        return DEFAULTS.local(host, port);
    }

    /** The defaults, connected to a peer. */
    public static DatagramOptions connected(String host, int port) {
        return DEFAULTS.remote(host, port);
    }

    /** The components while some of them are changed. */
    private static final class Draft {
        private @Nullable String localHost;
        private int localPort;
        private @Nullable String remoteHost;
        private int remotePort;
        private boolean reusePort;
        private boolean broadcast;
        private boolean batch;
        private int sendBuffer;
        private int receiveBuffer;
        private WriteLimits writeLimits;

        Draft(DatagramOptions from) {
            localHost = from.localHost;
            localPort = from.localPort;
            remoteHost = from.remoteHost;
            remotePort = from.remotePort;
            reusePort = from.reusePort;
            broadcast = from.broadcast;
            batch = from.batch;
            sendBuffer = from.sendBuffer;
            receiveBuffer = from.receiveBuffer;
            writeLimits = from.writeLimits;
        }

        DatagramOptions options() {
            return new DatagramOptions(
                    localHost,
                    localPort,
                    remoteHost,
                    remotePort,
                    reusePort,
                    broadcast,
                    batch,
                    sendBuffer,
                    receiveBuffer,
                    writeLimits);
        }
    }

    private DatagramOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    private static int given(int port) {
        if (port < 0) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + port);
        }
        return port;
    }

    /** A copy that is bound to an address: a name or literal, or null for every interface, and a port, or 0. */
    public DatagramOptions local(@Nullable String host, int port) {
        return with(draft -> {
            draft.localHost = host;
            draft.localPort = given(port);
        });
    }

    /** A copy that is connected to a peer. */
    public DatagramOptions remote(String host, int port) {
        return with(draft -> {
            draft.remoteHost = Objects.requireNonNull(host, "host");
            draft.remotePort = given(port);
        });
    }

    /** A copy with another value: whether several sockets may be bound to the same address. */
    public DatagramOptions reusePort(boolean value) {
        return with(draft -> draft.reusePort = value);
    }

    /** A copy with another value: whether it may send to broadcast addresses. */
    public DatagramOptions broadcast(boolean value) {
        return with(draft -> draft.broadcast = value);
    }

    /** A copy with another value: whether several datagrams go with one system call. */
    public DatagramOptions batch(boolean value) {
        return with(draft -> draft.batch = value);
    }

    /** A copy with another value: the size of the kernel's send buffer. */
    public DatagramOptions sendBuffer(int value) {
        return with(draft -> draft.sendBuffer = value);
    }

    /** A copy with another value: the size of the kernel's receive buffer. */
    public DatagramOptions receiveBuffer(int value) {
        return with(draft -> draft.receiveBuffer = value);
    }

    /** A copy with another value: the water marks. */
    public DatagramOptions writeLimits(WriteLimits value) {
        return with(draft -> draft.writeLimits = value);
    }
}
