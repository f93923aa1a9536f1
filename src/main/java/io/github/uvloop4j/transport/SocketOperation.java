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
        if (reads) {
            socket.reading = this;
        } else {
            socket.writing = this;
        }
        arm();
        return this;
    }

    /** What to wait with where the kernel has no event for what is waited for; null where it has. */
    @Nullable
    Retry retry() {
        return null;
    }

    /** It has left its place at the socket: what it kept for itself goes. */
    void released() {}

    private void arm() {
        var retry = retry();
        if (retry != null) {
            retry.later(this::again);
        } else if (reads) {
            socket.polled().reader(this::again);
        } else {
            socket.polled().writer(this::again);
        }
    }

    private void disarm() {
        var retry = retry();
        if (retry != null) {
            retry.cancel();
        } else if (reads) {
            socket.polled().reader(null);
        } else {
            socket.polled().writer(null);
        }
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
        } else if (retry() != null) {
            arm();
        }
    }

    /** Takes its place at the socket back. */
    final void leave() {
        if (reads && socket.reading == this) {
            socket.reading = null;
            disarm();
        } else if (!reads && socket.writing == this) {
            socket.writing = null;
            disarm();
        }
        released();
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
