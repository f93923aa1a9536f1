package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.net.PassedDescriptor;
import org.jspecify.annotations.Nullable;

/** A descriptor that came over a socket, until somebody takes it. */
final class FdPassed implements PassedDescriptor, Created, LoopIo.Closeables {
    private final LoopIo io;
    private final int fd;
    private final @Nullable Throwable creation;
    private boolean open = true;

    FdPassed(LoopIo io, int fd) {
        this.io = io;
        this.fd = fd;
        this.creation = io.context().creation("descriptor");
        // A watcher of that number is of one that was closed.
        io.rawSockets().watchers().unwatch(fd);
        io.opened(this);
    }

    @Override
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public int fd() {
        io.check();
        if (!open) {
            throw new IllegalStateException(this + " is closed");
        }
        return fd;
    }

    @Override
    public int detach() {
        int taken = fd();
        open = false;
        io.closed(this);
        io.rawSockets().watchers().unwatch(taken);
        return taken;
    }

    @Override
    public void close() {
        io.check();
        if (open) {
            SocketCalls.close(detach());
        }
    }

    @Override
    public void abortNow() {
        close();
    }

    @Override
    public String toString() {
        return "received descriptor " + fd + (open ? "" : " [closed]");
    }
}
