package io.github.uvloop4j.net;

import io.github.uvloop4j.tls.ServerTls;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a server or listener is made, and what its connections get. Immutable; each method that is named like a component and
 * takes a value returns a changed copy. What only internet sockets have is ignored for Unix ones, and the other way round.
 * Any thread.
 *
 * @param backlog how many connections the kernel keeps until they are accepted, 1 or more
 * @param reuseAddress whether a TCP port may be bound while old connections of it linger
 * @param reusePort whether several servers may listen on the same address, and the kernel shares connections out
 * @param dualStack whether an IPv6 socket takes IPv4 clients too; every interface is then one socket, not two
 * @param noDelay whether small writes are sent at once
 * @param keepAliveSeconds after how many idle seconds keep-alive probes start; 0 for none
 * @param sendBuffer the size of the kernel's send buffer in bytes; 0 for its default
 * @param receiveBuffer the size of the kernel's receive buffer in bytes; 0 for its default
 * @param resetOnClose whether the kernel drops what it has not delivered at close, and resets the connection
 * @param permissions who may connect to a Unix socket's path; null for what the process's umask leaves
 * @param keepSocketFile whether a Unix socket's path stays after close; else it is removed, if it is still the one that was bound
 * @param startServing whether a server accepts from the start
 * @param writeLimits the water marks of the connections; with TLS the default is 512 KiB and 128 KiB
 * @param tls how connections are secured; null for not at all
 */
public record ServerOptions(
        int backlog,
        boolean reuseAddress,
        boolean reusePort,
        boolean dualStack,
        boolean noDelay,
        int keepAliveSeconds,
        int sendBuffer,
        int receiveBuffer,
        boolean resetOnClose,
        @Nullable Set<PosixFilePermission> permissions,
        boolean keepSocketFile,
        boolean startServing,
        WriteLimits writeLimits,
        @Nullable ServerTls tls) {
    private static final ServerOptions DEFAULTS = new ServerOptions(
            100, true, false, false, true, 0, 0, 0, false, null, false, true, WriteLimits.DEFAULT, null);

    /** Checks the ranges. */
    public ServerOptions {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be 1 or more: " + backlog);
        }
        if (keepAliveSeconds < 0) {
            throw new IllegalArgumentException("keepAliveSeconds must be 0 or more: " + keepAliveSeconds);
        }
        if (sendBuffer < 0 || receiveBuffer < 0) {
            throw new IllegalArgumentException("negative buffer size: " + Math.min(sendBuffer, receiveBuffer));
        }
        if (permissions != null) {
            permissions = Set.copyOf(permissions);
        }
        Objects.requireNonNull(writeLimits, "writeLimits");
    }

    /** The defaults. */
    public static ServerOptions defaults() {
        return DEFAULTS;
    }

    /** The components while some of them are changed. */
    private static final class Draft {
        private int backlog;
        private boolean reuseAddress;
        private boolean reusePort;
        private boolean dualStack;
        private boolean noDelay;
        private int keepAliveSeconds;
        private int sendBuffer;
        private int receiveBuffer;
        private boolean resetOnClose;
        private @Nullable Set<PosixFilePermission> permissions;
        private boolean keepSocketFile;
        private boolean startServing;
        private WriteLimits writeLimits;
        private @Nullable ServerTls tls;

        Draft(ServerOptions from) {
            backlog = from.backlog;
            reuseAddress = from.reuseAddress;
            reusePort = from.reusePort;
            dualStack = from.dualStack;
            noDelay = from.noDelay;
            keepAliveSeconds = from.keepAliveSeconds;
            sendBuffer = from.sendBuffer;
            receiveBuffer = from.receiveBuffer;
            resetOnClose = from.resetOnClose;
            permissions = from.permissions;
            keepSocketFile = from.keepSocketFile;
            startServing = from.startServing;
            writeLimits = from.writeLimits;
            tls = from.tls;
        }

        ServerOptions options() {
            return new ServerOptions(
                    backlog,
                    reuseAddress,
                    reusePort,
                    dualStack,
                    noDelay,
                    keepAliveSeconds,
                    sendBuffer,
                    receiveBuffer,
                    resetOnClose,
                    permissions,
                    keepSocketFile,
                    startServing,
                    writeLimits,
                    tls);
        }
    }

    private ServerOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** A copy with another value: how many connections the kernel keeps until they are accepted, 1 or more. */
    public ServerOptions backlog(int value) {
        return with(draft -> draft.backlog = value);
    }

    /** A copy with another value: whether a TCP port may be bound while old connections of it linger. */
    public ServerOptions reuseAddress(boolean value) {
        return with(draft -> draft.reuseAddress = value);
    }

    /** A copy with another value: whether several servers may listen on the same address, and the kernel shares connections out. */
    public ServerOptions reusePort(boolean value) {
        return with(draft -> draft.reusePort = value);
    }

    /** A copy with another value: whether an IPv6 socket takes IPv4 clients too; every interface is then one socket, not two. */
    public ServerOptions dualStack(boolean value) {
        return with(draft -> draft.dualStack = value);
    }

    /** A copy with another value: whether small writes are sent at once. */
    public ServerOptions noDelay(boolean value) {
        return with(draft -> draft.noDelay = value);
    }

    /** A copy with another value: after how many idle seconds keep-alive probes start; 0 for none. */
    public ServerOptions keepAliveSeconds(int value) {
        return with(draft -> draft.keepAliveSeconds = value);
    }

    /** A copy with another value: the size of the kernel's send buffer in bytes; 0 for its default. */
    public ServerOptions sendBuffer(int value) {
        return with(draft -> draft.sendBuffer = value);
    }

    /** A copy with another value: the size of the kernel's receive buffer in bytes; 0 for its default. */
    public ServerOptions receiveBuffer(int value) {
        return with(draft -> draft.receiveBuffer = value);
    }

    /** A copy with another value: whether the kernel drops what it has not delivered at close, and resets the connection. */
    public ServerOptions resetOnClose(boolean value) {
        return with(draft -> draft.resetOnClose = value);
    }

    /** A copy with another value: who may connect to a Unix socket's path; null for what the process's umask leaves. */
    public ServerOptions permissions(@Nullable Set<PosixFilePermission> value) {
        return with(draft -> draft.permissions = value);
    }

    /** A copy with another value: whether a Unix socket's path stays after close; else it is removed, if it is still the one that was bound. */
    public ServerOptions keepSocketFile(boolean value) {
        return with(draft -> draft.keepSocketFile = value);
    }

    /** A copy with another value: whether a server accepts from the start. */
    public ServerOptions startServing(boolean value) {
        return with(draft -> draft.startServing = value);
    }

    /** A copy with another value: the water marks of the connections. */
    public ServerOptions writeLimits(WriteLimits value) {
        return with(draft -> draft.writeLimits = value);
    }

    /** A copy with another value: how connections are secured; null for not at all. */
    public ServerOptions tls(@Nullable ServerTls value) {
        return with(draft -> draft.tls = value);
    }
}
