package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.uv.UvErrno;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An operation on a raw socket: tries its system call, waits while that would block, tries again. */
abstract class SocketOperation<T extends @Nullable Object> extends LoopFuture<T> {
    final LoopIo io;
    final FdSocket socket;
    private final boolean reads;

    SocketOperation(LoopIo io, FdSocket socket, boolean reads) {
        super(io.context());
        this.io = io;
        this.socket = socket;
        this.reads = reads;
        if ((reads ? socket.pendingRead() : socket.pendingWrite()) != null || socket.hasCallback(reads)) {
            throw new IllegalStateException(
                    "another operation or callback " + (reads ? "reads from " : "writes to ") + socket + " already");
        }
    }

    /** Makes the system call, and completes the future if it can; returns EAGAIN to wait, else 0 or an error. */
    abstract int attempt();

    /** What it does, for people. */
    abstract String name();

    /** Begins: tries at once unless that is known to fail. */
    final SocketOperation<T> begin(boolean tryFirst) {
        if (tryFirst && settle(attempt())) {
            return this;
        }
        var polled = socket.polled();
        if (reads) {
            socket.reading = this;
            polled.reader(this::again);
        } else {
            socket.writing = this;
            polled.writer(this::again);
        }
        return this;
    }

    private boolean settle(int status) {
        if (status == UvErrno.EAGAIN.code() || status == UvErrno.EINTR.code()) {
            return false;
        }
        if (status < 0) {
            completeExceptionally(IoErrors.of(status, name() + " " + socket));
        }
        return true;
    }

    private void again() {
        boolean over = true;
        try {
            over = isDone() || settle(attempt());
        } catch (Throwable error) {
            // It would be tried again and again: what it works on cannot be used.
            completeExceptionally(error);
        }
        if (over) {
            leave();
        }
    }

    /** Takes its place at the socket back. */
    final void leave() {
        if (reads && socket.reading == this) {
            socket.reading = null;
            socket.polled().reader(null);
        } else if (!reads && socket.writing == this) {
            socket.writing = null;
            socket.polled().writer(null);
        }
        socket.closeIfIdle();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            if (io.context().inLoop()) {
                leave();
            } else {
                leaveLater();
            }
        }
        return cancelled;
    }

    private void leaveLater() {
        try {
            io.context().post(this::leave);
        } catch (RejectedExecutionException closed) {
            // Closing the loop has ended the operation.
        }
    }
}
