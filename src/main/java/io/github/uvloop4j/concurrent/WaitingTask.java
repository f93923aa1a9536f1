package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** How a task waits: for an unpark, for a future, for a time. Nothing is allocated for it but the first waiter. */
abstract class WaitingTask<T extends @Nullable Object> extends CancellableTask<T> {
    private Callback.@Nullable Waiter waiter;

    /** The future that still has the waiter after a wait with a limit: the next such wait needs no other. */
    private @Nullable LoopFuture<?> linkedTo;

    WaitingTask(LoopContext loop, String name) {
        super(loop, name);
    }

    /** Whether the future that it awaits has ended, even if nobody has told it yet. Any thread. */
    protected final boolean isAwaitOver() {
        var future = awaited;
        return future != null && future.isDone();
    }

    /**
     * Parks the calling task until {@link #unpark}. It may return early: call it in a loop that tests what is waited
     * for. The task itself only.
     *
     * @throws CancellationException when the task was cancelled
     * @throws IllegalStateException when another thread calls it
     */
    public final void park() {
        if (Thread.currentThread() != thread()) {
            throw new IllegalStateException("only task " + name() + " itself can park it");
        }
        throwIfCancelled();
        pause();
        throwIfCancelled();
    }

    private void pause() {
        // A set interrupt flag would make every park return at once, and the loop spin.
        boolean interrupted = Thread.interrupted();
        if (interrupted && isOwnThread()) {
            giveUpWaiting();
            return;
        }
        parked = true;
        try {
            suspend();
        } finally {
            parked = false;
        }
        if (isOwnThread() && Thread.interrupted()) {
            giveUpWaiting();
        } else if (interrupted) {
            Thread.currentThread().interrupt();
            // The flag comes with a permit, which would let the next park return at once. The caller looks again
            // anyway.
            LockSupport.park();
        }
    }

    /**
     * Whether its thread is somebody's own, who starts it, counts on its body to run, and may interrupt it: then the
     * body runs even if it was cancelled before, and an interrupt ends the wait of an await.
     */
    protected boolean isOwnThread() {
        return false;
    }

    private void giveUpWaiting() {
        var future = awaited;
        if (future == null) {
            throw new CancellationException("the thread of task " + name() + " was interrupted");
        }
        future.cancel(true);
    }

    /** Has the future wake this task; null when it is done. */
    private Callback.@Nullable Waiter attach(LoopFuture<?> future) {
        var node = waiter;
        boolean linked = node != null && node.isLinked();
        if (node != null && linked && linkedTo == future) {
            return future.isDone() ? null : node;
        }
        linkedTo = null;
        if (node == null || linked) {
            node = new Callback.Waiter(this);
            waiter = node;
        }
        node.link(true);
        if (future.push(node)) {
            return node;
        }
        node.link(false);
        return null;
    }

    final boolean awaitEnd(LoopFuture<?> future) {
        throwIfCancelled();
        if (attach(future) == null) {
            return true;
        }
        awaited = future;
        try {
            while (!future.isDone()) {
                pause();
            }
        } finally {
            awaited = null;
        }
        linkedTo = null;
        throwIfCancelledWith(future);
        return true;
    }

    final boolean awaitEnd(LoopFuture<?> future, long limitNanos) {
        throwIfCancelled();
        var node = attach(future);
        if (node == null) {
            return true;
        }
        awaited = future;
        long deadline = Durations.deadline(limitNanos);
        var timer = loop.at(deadline, this::unpark);
        try {
            while (!future.isDone() && System.nanoTime() - deadline < 0) {
                pause();
            }
        } finally {
            timer.cancel();
            awaited = null;
        }
        linkedTo = null;
        if (!future.isDone()) {
            if (future.removeNewest(node)) {
                node.link(false);
            } else {
                linkedTo = future;
            }
            throwIfCancelled();
            return false;
        }
        throwIfCancelledWith(future);
        return true;
    }

    final void yieldToLoop() {
        var turned = new boolean[1];
        loop.soon(() -> {
            turned[0] = true;
            unpark();
        });
        while (!turned[0]) {
            park();
        }
    }

    final void sleepUntil(long deadline) {
        throwIfCancelled();
        var timer = loop.at(deadline, this::unpark);
        try {
            while (System.nanoTime() - deadline < 0) {
                park();
            }
        } finally {
            timer.cancel();
        }
    }
}
