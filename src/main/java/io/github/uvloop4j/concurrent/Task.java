package io.github.uvloop4j.concurrent;

import java.nio.channels.ClosedByInterruptException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Linear code that runs on a loop: a virtual thread which only ever runs while the loop lets it, so that tasks of one
 * loop need no locks among themselves. It is the future of its result, and completes itself.
 *
 * <p>Cancelling is a request. It arrives as a CancellationException at the next await, or interrupts the JDK call in
 * which the task is parked; what the task awaits is cancelled with it. Requests are counted; code that decides to go on
 * takes one back with {@link #uncancel()}.
 *
 * @param <T> the result's type
 */
public abstract class Task<T extends @Nullable Object> extends LoopFuture<T> {
    private final LoopContext loop;
    private final String name;
    private final @Nullable Throwable creation;
    private @Nullable Callable<T> body;
    private Callback.@Nullable Waiter waiter;

    /** The future that still has the waiter after a wait with a limit: the next such wait needs no other. */
    private @Nullable LoopFuture<?> linkedTo;

    private @Nullable LoopFuture<?> awaited;
    private boolean parked;
    private boolean started;
    private boolean interruptSent;
    private volatile boolean cancelPending;
    private volatile int cancelRequests;

    /** A task that has not started. */
    protected Task(LoopContext loop, String name, Callable<T> body, @Nullable Throwable creation) {
        super(loop);
        this.loop = loop;
        this.name = Objects.requireNonNull(name, "name");
        this.body = Objects.requireNonNull(body, "body");
        this.creation = creation;
    }

    /** The task that calls this, or null outside any task. Any thread. */
    public static @Nullable Task<?> current() {
        var loop = LoopContext.current();
        return loop == null ? null : loop.currentTask();
    }

    /** Its name, which its thread carries as well. Any thread. */
    public final String name() {
        return name;
    }

    /** Where it was spawned, when the loop runs in debug mode; else null. Any thread. */
    public final @Nullable Throwable creation() {
        return creation;
    }

    /** The virtual thread that it runs on. Any thread. */
    public abstract Thread thread();

    /** Parks the calling task's thread; may return early. */
    protected abstract void suspend();

    /** Lets a parked task go on, or its next {@link #park} return at once. Any thread. */
    public abstract void unpark();

    /**
     * Parks the calling task until {@link #unpark}. It may return early: call it in a loop that tests what is waited
     * for. The task itself only.
     *
     * @throws CancellationException when the task was cancelled
     * @throws IllegalStateException when another thread calls it
     */
    public final void park() {
        if (Thread.currentThread() != thread()) {
            throw new IllegalStateException("only task " + name + " itself can park it");
        }
        throwIfCancelled();
        pause();
        throwIfCancelled();
    }

    private void pause() {
        // A set interrupt flag would make every park return at once, and the loop spin.
        boolean interrupted = Thread.interrupted();
        parked = true;
        suspend();
        parked = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
            // The flag comes with a permit, which would let the next park return at once. The caller looks again
            // anyway.
            LockSupport.park();
        }
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
        while (!future.isDone()) {
            pause();
        }
        awaited = null;
        linkedTo = null;
        throwIfCancelled();
        return true;
    }

    final boolean awaitEnd(LoopFuture<?> future, long limitNanos) {
        throwIfCancelled();
        var node = attach(future);
        if (node == null) {
            return true;
        }
        awaited = future;
        long deadline = System.nanoTime() + Math.min(limitNanos, Long.MAX_VALUE >> 1);
        var timer = loop.at(deadline, this::unpark);
        while (!future.isDone() && System.nanoTime() - deadline < 0) {
            pause();
        }
        timer.cancel();
        awaited = null;
        linkedTo = null;
        if (!future.isDone()) {
            if (future.removeNewest(node)) {
                node.link(false);
            } else {
                linkedTo = future;
            }
        }
        throwIfCancelled();
        return future.isDone();
    }

    /** Asks the task to end; false when it has ended. The flag has no meaning here. Any thread. */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        if (loop.inLoop()) {
            requestCancel();
        } else {
            postQuietly(loop, this::requestCancel);
        }
        return true;
    }

    private void requestCancel() {
        if (isDone()) {
            return;
        }
        cancelRequests = cancelRequests + 1;
        interruptSent = false;
        cancelPending = true;
        var future = awaited;
        if (future != null) {
            future.cancel(true);
        } else if (parked) {
            unpark();
        } else if (started) {
            interruptSent = true;
            thread().interrupt();
        }
    }

    /** How often it was asked to end, less what was taken back. Any thread. */
    public final int cancelling() {
        return cancelRequests;
    }

    /** Takes back one request; returns how many are left. Loop thread only. */
    public final int uncancel() {
        if (!loop.inLoop()) {
            throw new IllegalStateException(
                    "not on the loop thread of task " + name + " but on " + Thread.currentThread());
        }
        int left = Math.max(0, cancelRequests - 1);
        cancelRequests = left;
        if (left == 0) {
            takeCancel();
        }
        return left;
    }

    private boolean takeCancel() {
        cancelPending = false;
        if (interruptSent) {
            interruptSent = false;
            // No flag any more: a JDK call has thrown InterruptedException, and the task knows already.
            return Thread.currentThread() != thread() || Thread.interrupted();
        }
        return true;
    }

    private void throwIfCancelled() {
        if (cancelPending && takeCancel()) {
            throw new CancellationException("task " + name + " was cancelled");
        }
    }

    /** A task completes itself. */
    @Override
    public final boolean complete(T value) {
        throw new UnsupportedOperationException("a task completes itself: " + name);
    }

    /** A task completes itself. */
    @Override
    public final boolean completeExceptionally(Throwable error) {
        throw new UnsupportedOperationException("a task completes itself: " + name);
    }

    /** Runs the body and ends the future; called once, on the task's thread. */
    protected final void runBody() {
        var once = Objects.requireNonNull(body);
        body = null;
        started = true;
        try {
            throwIfCancelled();
            var value = once.call();
            if (cancelPending && takeCancel()) {
                endCancelled(new CancellationException("task " + name + " was cancelled"));
            } else {
                super.complete(value);
            }
        } catch (CancellationException cancellation) {
            endCancelled(cancellation);
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** Ends the future of a task that can never go on, since its loop is being closed. */
    protected final void endAbandoned() {
        endCancelled(new CancellationException("its loop was closed before task " + name + " ended"));
    }

    private void fail(Throwable error) {
        boolean interrupted = error instanceof InterruptedException || error instanceof ClosedByInterruptException;
        if (interrupted && cancelRequests > 0) {
            var cancellation = new CancellationException("task " + name + " was cancelled");
            cancellation.initCause(error);
            endCancelled(cancellation);
            return;
        }
        super.completeExceptionally(error);
        if (loop.isFatal(error)) {
            loop.report("task " + name + " failed", error, this);
        } else {
            watch(name);
        }
    }

    @Override
    public String toString() {
        var text = super.toString();
        return "task " + name + text.substring(text.indexOf('['));
    }
}
