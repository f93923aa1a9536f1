package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/**
 * A number of permits that tasks take and give back. First come, first served: whoever gives back permits hands them to
 * the task that has waited longest, and a task that wants few does not pass one that wants many.
 *
 * {@snippet :
 * try (var _ = semaphore.hold()) {
 *     fetch(url);
 * }
 * }
 *
 * <p>Taking a permit that is there costs no allocation. It can be made anywhere and belongs to the loop that uses it
 * first. {@link BoundedSemaphore} also refuses to get back more than it had.
 */
public sealed class Semaphore permits BoundedSemaphore {
    /**
     * How it stands.
     *
     * @param available the permits that are free
     * @param waiting how many tasks wait for permits
     */
    public record Statistics(int available, int waiting) {}

    private static final class Want extends Waiter {
        final int permits;

        Want(Task<?> task, int permits) {
            super(task);
            this.permits = permits;
        }
    }

    private static final class Permit implements Held {
        private final Semaphore semaphore;
        private boolean closed;

        Permit(Semaphore semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void close() {
            if (!closed) {
                semaphore.release();
                closed = true;
            }
        }

        @Override
        public String toString() {
            return (closed ? "returned" : "held") + " permit of " + semaphore;
        }
    }

    private final Home home = new Home(getClass().getSimpleName());
    private final Waiters<Want> waiters = new Waiters<>();
    private final int bound;
    private int available;

    /**
     * A semaphore with permits, or with none yet. Any thread.
     *
     * @throws IllegalArgumentException when the number is negative
     */
    public Semaphore(int permits) {
        this(permits, Integer.MAX_VALUE);
    }

    Semaphore(int permits, int bound) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits is negative: " + permits);
        }
        this.available = permits;
        this.bound = bound;
    }

    /**
     * Takes a permit, after those who have waited longer. In a task only.
     *
     * @throws CancellationException when the task is cancelled while it waits; it has no permit then
     * @throws IllegalStateException outside a task or on another loop
     */
    public void acquire() {
        acquire(1);
    }

    /**
     * Takes several permits at once, after those who have waited longer. In a task only.
     *
     * @throws IllegalArgumentException when the number is less than 1, or more than a bounded semaphore has
     */
    public void acquire(int permits) {
        checkWanted(permits);
        var task = home.task("acquire()");
        if (!take(permits)) {
            waitFor(task, permits, Limits.NONE);
        }
    }

    /**
     * {@link #acquire()} with a limit; with a limit of zero it does not wait. A permit that is handed over before the
     * task notices that the time is over counts as taken in time. In a task only.
     *
     * @throws TimeoutException when the time is over; it has no permit then
     * @throws IllegalArgumentException when the limit is negative
     */
    public void acquire(Duration limit) throws TimeoutException {
        acquire(1, limit);
    }

    /** {@link #acquire(int)} with a limit, as {@link #acquire(Duration)} has it. In a task only. */
    public void acquire(int permits, Duration limit) throws TimeoutException {
        checkWanted(permits);
        long nanos = Limits.nanos(limit);
        var task = home.task("acquire(Duration)");
        if (!take(permits) && !waitFor(task, permits, nanos)) {
            throw new TimeoutException("no permit of " + this + " within " + limit);
        }
    }

    /** Takes a permit if one is free and nobody waits. Loop thread only. */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /** Takes several permits if they are free and nobody waits. Loop thread only. */
    public boolean tryAcquire(int permits) {
        checkWanted(permits);
        home.check("tryAcquire()");
        return take(permits);
    }

    /** {@link #acquire()} for a try block, which gives the permit back. Closing it twice gives it back once. */
    public Held hold() {
        acquire();
        return new Permit(this);
    }

    /** {@link #acquire(Duration)} for a try block, which gives the permit back. */
    public Held hold(Duration limit) throws TimeoutException {
        acquire(limit);
        return new Permit(this);
    }

    /** Gives back a permit, or adds one. Loop thread only. */
    public void release() {
        release(1);
    }

    /**
     * Gives back permits, or adds some. Loop thread only.
     *
     * @throws IllegalArgumentException when the number is less than 1
     * @throws IllegalStateException when there would be more than 2^31 - 1 of them, or more than a bounded semaphore
     *     has; none is given back then
     */
    public void release(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits is not positive: " + permits);
        }
        home.check("release()");
        if (permits > bound - available) {
            throw new IllegalStateException(
                    "releasing " + permits + " would be more than " + bound + " permits: " + this);
        }
        available += permits;
        serve();
    }

    private void checkWanted(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits is not positive: " + permits);
        }
        if (permits > bound) {
            throw new IllegalArgumentException("permits is " + permits + ", more than there are: " + bound);
        }
    }

    private boolean take(int permits) {
        if (available < permits || !waiters.isEmpty()) {
            return false;
        }
        available -= permits;
        return true;
    }

    private boolean waitFor(Task<?> task, int permits, long limit) {
        var waiter = new Want(task, permits);
        waiters.add(waiter);
        try {
            waiter.await(home.loop(), limit);
        } catch (Throwable gone) {
            leave(waiter);
            throw gone;
        }
        if (waiter.isGranted()) {
            return true;
        }
        leave(waiter);
        return false;
    }

    /** Those behind may want less. */
    private void leave(Want waiter) {
        if (waiter.isGranted()) {
            // What others gave back without having it must not lift it above the bound.
            available = (int) Math.min((long) available + waiter.permits, bound);
        } else {
            waiters.remove(waiter);
        }
        serve();
    }

    private void serve() {
        for (var next = waiters.peek(); next != null && next.permits <= available; next = waiters.peek()) {
            waiters.remove(next);
            available -= next.permits;
            next.grant();
        }
    }

    /** How many permits are free. Loop thread only. */
    public int available() {
        home.look("available()");
        return available;
    }

    /** How many tasks wait for permits. Loop thread only. */
    public int waiting() {
        home.look("waiting()");
        return waiters.size();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        return new Statistics(available, waiters.size());
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + '[' + available + " available, " + waiters.size() + " waiting]";
    }
}
