package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a cancel reaches a task where it is, and when the task is told. Requests are kept in {@link Cancels}, which a task
 * has only once it was cancelled.
 */
abstract class CancellableTask<T extends @Nullable Object> extends LoopFuture<T> {
    private static final int LONGEST_CHAIN = 100_000;

    final LoopContext loop;
    private final String name;

    /** What it awaits now. */
    @Nullable
    LoopFuture<?> awaited;

    /** Whether it is in {@link #suspend}. */
    boolean parked;

    boolean started;
    private boolean interruptSent;
    private int shields;
    private int excuses;
    private volatile boolean cancelPending;
    private volatile @Nullable Cancels cancels;
    private long cancelGrace;

    CancellableTask(LoopContext loop, String name) {
        super(loop);
        this.loop = loop;
        this.name = Objects.requireNonNull(name, "name");
        this.cancelGrace = loop.cancelGraceNanos();
    }

    /** Its name; its thread's is the loop's name, a slash and this. Any thread. */
    public final String name() {
        return name;
    }

    /** The virtual thread that it runs on. Any thread. */
    public abstract Thread thread();

    /** Parks the calling task's thread; may return early. */
    protected abstract void suspend();

    /** Lets a parked task go on, or its next park return at once. Any thread. */
    public abstract void unpark();

    /** Asks the task to end; false when it has ended. The flag has no meaning here. Any thread. */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        if (loop.inLoop()) {
            request(CancelRequest.outside());
        } else {
            postQuietly(loop, () -> request(CancelRequest.outside()));
        }
        return true;
    }

    /** Makes a request that its maker may {@link #withdraw}. Loop thread only. */
    final CancelRequest request(CancelRequest request) {
        if (isNews(request)) {
            reach();
        }
        return request;
    }

    /** Takes a request down; whether the task must be reached where it is. */
    private boolean isNews(CancelRequest request) {
        if (isDone()) {
            return false;
        }
        cancels().add(request);
        cancelPending = true;
        return isReachable();
    }

    /** Asks the task to end, without disturbing it where it is on its way out already. Loop thread only. */
    final void cancelGently() {
        if (isDone()) {
            return;
        }
        var request = CancelRequest.outside();
        if (cancels().isOnItsWayOut()) {
            request.delivered = true;
            request.quiet = true;
            cancels().add(request);
        } else {
            request(request);
        }
    }

    final Cancels cancels() {
        var all = cancels;
        if (all == null) {
            all = new Cancels(this, loop);
            cancels = all;
        }
        return all;
    }

    /** Brings what is requested to where the task is. */
    final void resend() {
        cancelPending = true;
        if (isReachable()) {
            reach();
        }
    }

    /** Whether a shield does not hold all that the task has yet to be told. */
    private boolean isReachable() {
        return shields == 0 || cancels().passes(shields);
    }

    /** How many shields are up. Loop thread only. */
    final int shields() {
        return shields;
    }

    /** Goes down the chain of tasks that each await the next: a call for each would overflow the stack. */
    final void reach() {
        CancellableTask<?> mark = this;
        int steps = 0;
        for (var task = reachOne(); task != null && task != mark; task = task.reachOne()) {
            // Tasks that await each other in a ring have no last one.
            if (Integer.bitCount(++steps) == 1) {
                mark = task;
            }
        }
    }

    /** Returns the task that it awaits, if that must be reached as well. */
    private @Nullable CancellableTask<?> reachOne() {
        interruptSent = false;
        var future = awaited;
        if (future instanceof CancellableTask<?> next && next.loop == loop) {
            return next.isNews(CancelRequest.outside()) ? next : null;
        }
        if (future != null) {
            cancelAwaited(future);
        } else if (parked) {
            unpark();
        } else if (started) {
            interruptSent = true;
            thread().interrupt();
        }
        return null;
    }

    /** What passes its cancel on may reach a task that awaits another such future, and so on. */
    private void cancelAwaited(LoopFuture<?> future) {
        if (future.getClass() == LoopFuture.class) {
            future.cancel(true);
            return;
        }
        Nested.run(() -> {
            try {
                future.cancel(true);
            } catch (Throwable broken) {
                loop.report("cancelling what task " + name + " awaits failed", broken, future);
            }
        });
    }

    /** How often it was asked to end, less what was taken back. Any thread. */
    public final int cancelling() {
        var all = cancels;
        return all == null ? 0 : all.count();
    }

    /** How many of the requests so many shields do not hold. */
    final int cancelling(int up) {
        var all = cancels;
        return all == null ? 0 : all.count(up);
    }

    /**
     * Takes back the newest request; returns how many are left. Who catches a cancel and goes on must call it: what is
     * left open is sent again. Loop thread only.
     */
    public final int uncancel() {
        if (!loop.inLoop()) {
            throw new IllegalStateException(
                    "not on the loop thread of task " + name + " but on " + Thread.currentThread());
        }
        var all = cancels;
        if (all == null) {
            return 0;
        }
        all.removeNewest();
        return withdrawn(all);
    }

    /** Takes back a request of a scope; returns how many are left that could reach the scope. Loop thread only. */
    final int withdraw(CancelRequest request) {
        var all = cancels;
        if (all == null) {
            return 0;
        }
        all.remove(request);
        withdrawn(all);
        return all.count(request.shields);
    }

    private int withdrawn(Cancels all) {
        boolean left = all.hasUndelivered();
        if (cancelPending && !left) {
            takeCancel();
        } else if (left && !cancelPending) {
            resend();
        } else if (interruptSent && !isReachable()) {
            takeInterruptBack();
        }
        return all.count();
    }

    /** Until {@link #passCancels}, cancels from outside the scope that begins here wait. The task itself only. */
    final void holdCancels() {
        if (interruptSent && !takeInterruptBack()) {
            told();
        }
        shields++;
    }

    /** Whether no JDK call has thrown InterruptedException for it. */
    private boolean takeInterruptBack() {
        interruptSent = false;
        return Thread.currentThread() != thread() || Thread.interrupted();
    }

    /**
     * How many open requests the task knows of where a scope begins: any other ends the scope as a cancel from outside.
     * The task itself only.
     */
    final int toldCancels() {
        if (interruptSent && !Thread.currentThread().isInterrupted()) {
            interruptSent = false;
            told();
        }
        var all = cancels;
        return all == null ? 0 : all.told(shields);
    }

    private void told() {
        cancels().delivered(shields);
        cancelPending = cancels().hasUndelivered();
    }

    final void passCancels() {
        shields--;
        if (cancelPending && isReachable()) {
            reach();
        }
    }

    /** Until {@link #unexcuse}, the task may take its time to end. The task itself only. */
    final void excuse() {
        excuses++;
    }

    final void unexcuse() {
        excuses--;
    }

    /** Whether others hold it up, who are reported themselves, or a shield does. */
    final boolean isExcused() {
        return excuses > 0 || cancelling(shields) == 0 || isHeldUp();
    }

    private boolean isHeldUp() {
        var future = awaited;
        if (future instanceof Joined<?> joined) {
            return joined.isCancelling();
        }
        return future instanceof CancellableTask<?> other
                && !other.isDone()
                && other.cancelling() > 0
                && !other.leadsTo(this);
    }

    /** Whether tasks that each await the next lead to a task, or in a ring: then nobody else holds them up. */
    private boolean leadsTo(CancellableTask<?> task) {
        int steps = 0;
        for (var next = awaited; next instanceof CancellableTask<?> other; next = other.awaited) {
            if (other == task || ++steps == LONGEST_CHAIN) {
                return true;
            }
        }
        return false;
    }

    final boolean isCancelPending() {
        return cancelPending;
    }

    /** How long a cancelled task may take to end before it is reported and cancelled again. Loop thread only. */
    public final void cancelGrace(Duration grace) {
        cancelGrace = Durations.positive(grace, "grace");
    }

    final long cancelGraceNanos() {
        return cancelGrace;
    }

    /** Whether the task has yet to be told. */
    final boolean takeCancel() {
        cancelPending = false;
        return !interruptSent || takeInterruptBack();
    }

    final void throwIfCancelled() {
        if (cancelPending && isReachable()) {
            boolean untold = takeCancel();
            var exception = untold ? cancels().deliver(shields) : null;
            told();
            if (exception != null) {
                throw exception;
            }
        }
    }

    /** A future that ended before the cancel came keeps its outcome: the cancel waits for the next await. */
    final void throwIfCancelledWith(LoopFuture<?> future) {
        if (cancelPending && future.isCancelled()) {
            throwIfCancelled();
        }
    }

    /** No cancel can reach it any more. */
    final void cancelsAreOver() {
        var all = cancels;
        if (all != null) {
            all.over();
        }
    }
}
