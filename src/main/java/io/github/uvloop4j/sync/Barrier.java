package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Where a number of tasks wait for each other, again and again. When the last one arrives, all go on, and the barrier
 * is ready for the next round.
 *
 * <p>A task that gives up, since it is cancelled or its time is over, leaves its place to another; the others wait on,
 * as with asyncio's barrier. Who wants them to be told calls {@link #abort}: they, and all who come later, get a
 * BrokenBarrierException, until {@link #reset}. It can be made anywhere and belongs to the loop that uses it first.
 */
public final class Barrier {
    /**
     * How it stands.
     *
     * @param parties how many tasks make a round
     * @param waiting how many of them are there
     * @param broken whether it is broken
     */
    public record Statistics(int parties, int waiting, boolean broken) {}

    private static final class Party extends Waiter {
        int index;

        Party(Task<?> task) {
            super(task);
        }
    }

    private final Home home = new Home("Barrier");
    private final int parties;
    private final @Nullable Runnable action;

    /** Those of the round that gathers now. */
    private Waiters<Party> waiters = new Waiters<>();

    private boolean broken;

    /**
     * A barrier for a number of tasks. Any thread.
     *
     * @throws IllegalArgumentException when the number is less than 1
     */
    public Barrier(int parties) {
        this(parties, null);
    }

    /**
     * A barrier with an action, which the last task to arrive runs before any goes on. If it throws, that task gets
     * what it threw, and the barrier is broken. The action may await; who arrives meanwhile is of the next round. Any
     * thread.
     *
     * @throws IllegalArgumentException when the number is less than 1
     */
    public Barrier(int parties, @Nullable Runnable action) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties is not positive: " + parties);
        }
        this.parties = parties;
        this.action = action;
    }

    /**
     * Waits for the others. In a task only.
     *
     * @return the place in the order of arrival, from 0 to parties - 1: each once in a round
     * @throws BrokenBarrierException when it is broken, or reset or aborted meanwhile, or its action failed
     * @throws CancellationException when the task is cancelled while it waits; if all were there already, the others go
     *     on all the same
     * @throws IllegalStateException outside a task or on another loop
     */
    public int await() throws BrokenBarrierException {
        return arrive(home.task("await()"), Limits.NONE);
    }

    /**
     * {@link #await()} with a limit; with a limit of zero only the last to arrive gets through. In a task only.
     *
     * @throws TimeoutException when the others were not there in time; its place is free again
     * @throws IllegalArgumentException when the limit is negative
     */
    public int await(Duration limit) throws BrokenBarrierException, TimeoutException {
        long nanos = Limits.nanos(limit);
        int index = arrive(home.task("await(Duration)"), nanos);
        if (index < 0) {
            throw new TimeoutException("the others were not there within " + limit + ": " + this);
        }
        return index;
    }

    private int arrive(Task<?> task, long limit) throws BrokenBarrierException {
        if (broken) {
            throw new BrokenBarrierException("the barrier is broken; reset() mends it");
        }
        var round = waiters;
        if (round.size() == parties - 1) {
            trip(round);
            return parties - 1;
        }
        var party = new Party(task);
        round.add(party);
        try {
            party.await(home.loop(), limit);
        } finally {
            round.remove(party);
        }
        if (party.isRefused()) {
            throw new BrokenBarrierException(
                    "the barrier was reset, aborted or broken by its action while task " + task.name() + " waited");
        }
        return party.isGranted() ? party.index : -1;
    }

    private void trip(Waiters<Party> round) {
        if (action != null) {
            waiters = new Waiters<>();
            try {
                action.run();
            } catch (Throwable failed) {
                abort();
                round.refuseAll();
                throw failed;
            }
        }
        int index = 0;
        for (var party = round.poll(); party != null; party = round.poll()) {
            party.index = index++;
            party.grant();
        }
    }

    /** Sends those who wait away with a BrokenBarrierException, and mends a broken barrier. Loop thread only. */
    public void reset() {
        home.check("reset()");
        broken = false;
        waiters.refuseAll();
    }

    /** Breaks it: those who wait, and all who come until {@link #reset}, get a BrokenBarrierException. Loop thread only. */
    public void abort() {
        home.check("abort()");
        broken = true;
        waiters.refuseAll();
    }

    /** Whether it is broken. Loop thread only. */
    public boolean isBroken() {
        home.look("isBroken()");
        return broken;
    }

    /** How many tasks make a round. Any thread. */
    public int parties() {
        return parties;
    }

    /** How many tasks of the round that gathers now are there. Loop thread only. */
    public int waiting() {
        home.look("waiting()");
        return waiters.size();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        return new Statistics(parties, waiters.size(), broken);
    }

    @Override
    public String toString() {
        return "Barrier[" + waiters.size() + " of " + parties + (broken ? ", broken]" : "]");
    }
}
