package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/**
 * A flag that tasks wait for. {@link #set} lets go all that wait at that moment, even if {@link #clear} follows at once.
 * It can be made anywhere and belongs to the loop that uses it first.
 */
public final class Event {
    /**
     * How it stands.
     *
     * @param set whether it is set
     * @param waiting how many tasks wait for it
     */
    public record Statistics(boolean set, int waiting) {}

    private final Home home = new Home("Event");
    private final Waiters<Waiter> waiters = new Waiters<>();
    private boolean set;

    /** An event that is not set. Any thread. */
    public Event() {}

    /** Sets it, and wakes all that wait for it. Loop thread only; elsewhere use {@code loop.post(event::set)}. */
    public void set() {
        home.check("set()");
        set = true;
        waiters.grantAll();
    }

    /** Takes the flag back: who comes now waits. Loop thread only. */
    public void clear() {
        home.check("clear()");
        set = false;
    }

    /** Whether it is set. Loop thread only. */
    public boolean isSet() {
        home.look("isSet()");
        return set;
    }

    /**
     * Waits until it is set. In a task only.
     *
     * @throws CancellationException when the task is cancelled while it waits
     * @throws IllegalStateException outside a task or on another loop
     */
    public void await() {
        var task = home.task("await()");
        if (!set) {
            waitFor(task, Limits.NONE);
        }
    }

    /**
     * {@link #await()} with a limit; with a limit of zero it does not wait. In a task only.
     *
     * @throws TimeoutException when it was not set in time
     * @throws IllegalArgumentException when the limit is negative
     */
    public void await(Duration limit) throws TimeoutException {
        long nanos = Limits.nanos(limit);
        var task = home.task("await(Duration)");
        if (!set && !waitFor(task, nanos)) {
            throw new TimeoutException("the event was not set within " + limit);
        }
    }

    private boolean waitFor(Task<?> task, long limit) {
        var waiter = new Waiter(task);
        waiters.add(waiter);
        try {
            waiter.await(home.loop(), limit);
        } finally {
            waiters.remove(waiter);
        }
        return waiter.isGranted();
    }

    /** How many tasks wait for it. Loop thread only. */
    public int waiting() {
        home.look("waiting()");
        return waiters.size();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        return new Statistics(set, waiters.size());
    }

    @Override
    public String toString() {
        return "Event[" + (set ? "set" : "not set") + ", " + waiters.size() + " waiting]";
    }
}
