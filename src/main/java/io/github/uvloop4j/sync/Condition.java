package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Where tasks that hold a {@link Lock} wait for others to change what it protects. Waiting releases the lock and has it
 * again at the end, however it ends. First come, first served: {@link #signal} wakes the task that has waited longest,
 * and if that one was cancelled meanwhile, the next one.
 *
 * {@snippet :
 * try (var _ = lock.hold()) {
 *     ready.awaitUntil(() -> !jobs.isEmpty());
 *     return jobs.removeFirst();
 * }
 * }
 *
 * <p>As with every condition, what a task waited for may be over again when it has the lock: test it in a loop, as
 * {@link #awaitUntil} does. It can be made anywhere and belongs to the loop that uses it first.
 */
public final class Condition {
    /**
     * How it stands.
     *
     * @param waiting how many tasks wait for a signal
     */
    public record Statistics(int waiting) {}

    private final Home home = new Home("Condition");
    private final Waiters<Waiter> waiters = new Waiters<>();
    private final Lock lock;

    /** A condition on a lock, which may have several. Any thread. */
    public Condition(Lock lock) {
        this.lock = Objects.requireNonNull(lock, "lock");
    }

    /** The lock it belongs to. Any thread. */
    public Lock lock() {
        return lock;
    }

    /**
     * Releases the lock, waits for a signal, and acquires the lock again. In the task that holds the lock only.
     *
     * @throws CancellationException when the task is cancelled meanwhile; it has the lock again then, and a signal that
     *     was its own has gone to the next task
     * @throws IllegalMonitorStateException when the task does not hold the lock
     * @throws IllegalStateException outside a task or on another loop
     */
    public void await() {
        waitFor("await()", Limits.NONE);
    }

    /**
     * {@link #await()} with a limit on the wait for the signal; how long it then takes to get the lock is not limited.
     *
     * @return false when the time was over first; the lock is held again all the same
     * @throws IllegalArgumentException when the limit is negative
     */
    public boolean await(Duration limit) {
        return waitFor("await(Duration)", Limits.nanos(limit));
    }

    /** Waits for signals until a condition holds, which is tested at once and after each. As {@link #await()}. */
    public void awaitUntil(BooleanSupplier condition) {
        Objects.requireNonNull(condition, "condition");
        check("awaitUntil(BooleanSupplier)");
        while (!condition.getAsBoolean()) {
            await();
        }
    }

    /**
     * {@link #awaitUntil(BooleanSupplier)} with a limit.
     *
     * @return whether the condition holds; false when the time was over first
     * @throws IllegalArgumentException when the limit is negative
     */
    public boolean awaitUntil(BooleanSupplier condition, Duration limit) {
        Objects.requireNonNull(condition, "condition");
        long deadline = System.nanoTime() + Limits.nanos(limit);
        check("awaitUntil(BooleanSupplier, Duration)");
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0 || !waitFor("awaitUntil(BooleanSupplier, Duration)", left)) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /** Wakes the task that has waited longest, if any waits. In the task that holds the lock only. */
    public void signal() {
        signal(1);
    }

    /**
     * Wakes so many of the tasks that have waited longest. In the task that holds the lock only.
     *
     * @throws IllegalArgumentException when the number is negative
     */
    public void signal(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count is negative: " + count);
        }
        check("signal()");
        for (int i = 0; i < count && !waiters.isEmpty(); i++) {
            signalNext();
        }
    }

    /** Wakes all that wait. In the task that holds the lock only. */
    public void signalAll() {
        check("signalAll()");
        waiters.grantAll();
    }

    private Task<?> check(String method) {
        home.check(method);
        return lock.checkHeld("Condition." + method);
    }

    private void signalNext() {
        var next = waiters.poll();
        if (next != null) {
            next.grant();
        }
    }

    private boolean waitFor(String method, long limit) {
        var task = check(method);
        var waiter = new Waiter(task);
        waiters.add(waiter);
        lock.releaseForWait();
        try {
            waiter.await(home.loop(), limit);
        } catch (Throwable gone) {
            leave(waiter);
            try {
                reacquire(task);
            } catch (IllegalStateException lost) {
                gone.addSuppressed(lost);
            }
            throw gone;
        }
        waiters.remove(waiter);
        try {
            reacquire(task);
            passCancel(task);
        } catch (Throwable gone) {
            leave(waiter);
            throw gone;
        }
        return waiter.isGranted();
    }

    /** Without what it was signalled for, which goes to the next. */
    private void leave(Waiter waiter) {
        if (waiter.isGranted()) {
            signalNext();
        } else {
            waiters.remove(waiter);
        }
    }

    private void reacquire(Task<?> task) {
        try {
            Task.shielded(() -> lock.reacquire(task));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Throws the cancel that came while the lock was waited for, if one did. */
    private static void passCancel(Task<?> task) {
        if (task.cancelling() > 0) {
            task.unpark();
            task.park();
        }
    }

    /** How many tasks wait for a signal. Loop thread only. */
    public int waiting() {
        home.look("waiting()");
        return waiters.size();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        return new Statistics(waiters.size());
    }

    @Override
    public String toString() {
        return "Condition[" + waiters.size() + " waiting, " + lock + ']';
    }
}
