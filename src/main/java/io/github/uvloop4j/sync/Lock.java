package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets one task at a time through a stretch of code in which it awaits. First come, first served: whoever releases it
 * hands it to the task that has waited longest.
 *
 * {@snippet :
 * try (var _ = lock.hold()) {
 *     connection.write(request);
 *     return connection.readLine();
 * }
 * }
 *
 * <p>It belongs to the task that acquired it, which may not acquire it twice. When that task ends without having
 * released it, those who wait for it, then or later, get an IllegalStateException that names the task. A lock that is
 * free costs no allocation. It can be made anywhere and belongs to the loop that uses it first.
 */
public final class Lock {
    /**
     * How it stands.
     *
     * @param locked whether a task holds it
     * @param owner the name of that task, or null
     * @param waiting how many tasks wait for it
     */
    public record Statistics(boolean locked, @Nullable String owner, int waiting) {}

    private final Home home = new Home("Lock");
    private final Waiters<Waiter> waiters = new Waiters<>();
    private final Held held = new Held() {
        @Override
        public void close() {
            release();
        }

        @Override
        public String toString() {
            return "hold on " + Lock.this;
        }
    };
    private @Nullable Task<?> owner;
    private boolean watched;

    /** A free lock. Any thread. */
    public Lock() {}

    /**
     * Acquires it, after those who have waited longer. In a task only.
     *
     * @throws CancellationException when the task is cancelled while it waits; it does not have the lock then
     * @throws IllegalStateException outside a task or on another loop; when the task has the lock already; when the
     *     owner has ended without a release
     */
    public void acquire() {
        var task = home.task("acquire()");
        if (owner == null) {
            owner = task;
        } else {
            waitFor(task, Limits.NONE);
        }
    }

    /**
     * {@link #acquire()} with a limit; with a limit of zero it does not wait. A lock that is handed over before the
     * task notices that the time is over counts as acquired in time. In a task only.
     *
     * @throws TimeoutException when the time is over; it does not have the lock then
     * @throws IllegalArgumentException when the limit is negative
     */
    public void acquire(Duration limit) throws TimeoutException {
        long nanos = Limits.nanos(limit);
        var task = home.task("acquire(Duration)");
        if (owner == null) {
            owner = task;
        } else if (!waitFor(task, nanos)) {
            throw new TimeoutException(this + " was not released within " + limit);
        }
    }

    /** Acquires it if it is free; false when another task holds it. In a task only. */
    public boolean tryAcquire() {
        var task = home.task("tryAcquire()");
        if (owner == null) {
            owner = task;
            return true;
        }
        checkOwner(task);
        return false;
    }

    /** {@link #acquire()} for a try block, which releases it. The same object each time, so closing twice throws. */
    public Held hold() {
        acquire();
        return held;
    }

    /** {@link #acquire(Duration)} for a try block, which releases it. */
    public Held hold(Duration limit) throws TimeoutException {
        acquire(limit);
        return held;
    }

    /**
     * Releases it, and hands it to the task that has waited longest. In the task that acquired it only.
     *
     * @throws IllegalMonitorStateException when the caller does not have it
     */
    public void release() {
        home.check("release()");
        checkHeld("release()");
        handOn();
    }

    private boolean waitFor(Task<?> task, long limit) {
        checkOwner(task);
        var waiter = enqueue(task);
        try {
            waiter.await(home.loop(), limit);
        } catch (Throwable gone) {
            if (waiter.isGranted()) {
                handOn();
            } else {
                leave(waiter);
            }
            throw gone;
        }
        if (waiter.isWaiting()) {
            leave(waiter);
            return false;
        }
        if (waiter.isRefused()) {
            throw abandoned();
        }
        return true;
    }

    private Waiter enqueue(Task<?> task) {
        var waiter = new Waiter(task);
        waiters.add(waiter);
        watch();
        return waiter;
    }

    private void leave(Waiter waiter) {
        waiters.remove(waiter);
        if (waiters.isEmpty()) {
            unwatch();
        }
    }

    private void handOn() {
        unwatch();
        var next = waiters.poll();
        if (next == null) {
            owner = null;
            return;
        }
        owner = next.task;
        if (!waiters.isEmpty()) {
            watch();
        }
        next.grant();
    }

    private void watch() {
        var task = owner;
        if (!watched && task != null) {
            watched = true;
            Owners.watch(task, this);
        }
    }

    private void unwatch() {
        var task = owner;
        if (watched && task != null) {
            watched = false;
            Owners.unwatch(task, this);
        }
    }

    /** Its owner has ended, and will never release it. */
    void ownerEnded() {
        watched = false;
        waiters.refuseAll();
    }

    private IllegalStateException abandoned() {
        return new IllegalStateException(owner + " ended without releasing the lock");
    }

    private void checkOwner(Task<?> task) {
        var holder = owner;
        if (holder == task) {
            throw new IllegalStateException("task " + task.name() + " has the lock and would wait for itself");
        }
        if (holder != null && holder.isDone()) {
            throw abandoned();
        }
    }

    /** Lets the owner pass. Loop thread only. */
    Task<?> checkHeld(String method) {
        var holder = owner;
        var task = holder == null ? Task.current() : home.loop().currentTask();
        if (holder == null || holder != task) {
            throw new IllegalMonitorStateException(
                    method + " by " + (task == null ? "a callback" : "task " + task.name()) + ", but the lock is "
                            + (holder == null ? "free" : "held by task " + holder.name()));
        }
        return task;
    }

    /** Releases it for a condition; the owner only. */
    void releaseForWait() {
        handOn();
    }

    /** Gets it back for a condition; the caller keeps cancels away. */
    void reacquire(Task<?> task) {
        if (owner == null) {
            owner = task;
        } else {
            waitFor(task, Limits.NONE);
        }
    }

    /** Whether a task holds it. Loop thread only. */
    public boolean isLocked() {
        home.look("isLocked()");
        return owner != null;
    }

    /** The task that holds it, or null. Loop thread only. */
    public @Nullable Task<?> owner() {
        home.look("owner()");
        return owner;
    }

    /** How many tasks wait for it. Loop thread only. */
    public int waiting() {
        home.look("waiting()");
        return waiters.size();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        var task = owner;
        return new Statistics(task != null, task == null ? null : task.name(), waiters.size());
    }

    @Override
    public String toString() {
        var task = owner;
        return "Lock[" + (task == null ? "free" : "held by task " + task.name()) + ", " + waiters.size() + " waiting]";
    }
}
