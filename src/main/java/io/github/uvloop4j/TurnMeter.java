package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.util.Counts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * Measures a loop's turns. Each mark is one reading of the clock: where a turn begins, where it polls, the first event,
 * its end. Allocates nothing. Loop thread only, but for what says otherwise.
 */
final class TurnMeter {
    private static final long OVERSLEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int FOR_READY = 0;
    private static final int FOR_TIMERS = 1;
    private static final int FOR_EVENTS = 2;
    private static final int CALLS = 3;
    private static final int POSTS = 4;
    private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);

    private final boolean on;
    private final Counts turns = new Counts();
    private final Counts ready = new Counts();
    private final Counts callbacks = new Counts();
    private final Counts polls = new Counts();
    private final Counts pollLimits = new Counts();
    private final Counts oversleeps = new Counts();
    private final Counts events = new Counts();
    private final Counts readyDelay = new Counts();
    private final Counts wakeDelay = new Counts();
    private final Counts timerLateness = new Counts();
    private final long[] counters = new long[5];

    private long begun;
    private long polledFrom;
    private long limitNanos;
    private boolean waiting;
    private long waitingSince;

    TurnMeter(boolean on) {
        this.on = on;
    }

    /** A thread begins to run turns, one after the other. */
    void starts() {
        if (on) {
            begun = System.nanoTime();
        }
    }

    /** Something becomes ready, and nothing was. Also when the loop does not run. */
    void readied() {
        if (on) {
            waiting = true;
            waitingSince = System.nanoTime();
        }
    }

    /** So many posts come to what is ready; when the door was woken for it, or 0. */
    void posted(int count, long wokenAt) {
        if (on && count > 0) {
            add(POSTS, count);
            if (wokenAt != 0) {
                wakeDelay.record(begun - wokenAt);
            }
        }
    }

    void timerDue(long lateNanos) {
        if (on) {
            timerLateness.record(lateNanos);
        }
    }

    /** So many calls are about to run. */
    void runs(int count) {
        if (on && count > 0) {
            add(CALLS, count);
            if (waiting) {
                waiting = false;
                readyDelay.record(begun - waitingSince);
            }
        }
    }

    /** The loop polls, for at most so many ms; -1 without limit. */
    void polls(int limitMillis, boolean blocking) {
        if (!on) {
            return;
        }
        polledFrom = System.nanoTime();
        ready.record(polledFrom - begun);
        limitNanos = -1;
        if (!blocking || limitMillis == 0) {
            add(FOR_READY, 1);
        } else if (limitMillis > 0) {
            add(FOR_TIMERS, 1);
            limitNanos = limitMillis * 1_000_000L;
            pollLimits.record(limitNanos);
        } else {
            add(FOR_EVENTS, 1);
        }
    }

    /** The poll is over and its callbacks have run: so many, from a time on. The end of the turn. */
    void polled(int count, long firstAt) {
        if (!on) {
            return;
        }
        long end = System.nanoTime();
        long pollEnd = firstAt == 0 ? end : firstAt;
        polls.record(pollEnd - polledFrom);
        if (limitNanos >= 0 && pollEnd - polledFrom - limitNanos >= OVERSLEPT_NANOS) {
            oversleeps.record(pollEnd - polledFrom - limitNanos);
        }
        if (firstAt != 0) {
            events.record(count);
            callbacks.record(end - pollEnd);
        }
        turns.record(polledFrom - begun + end - pollEnd);
        begun = end;
    }

    private void add(int counter, long count) {
        COUNTERS.setOpaque(counters, counter, counters[counter] + count);
    }

    private long read(int counter) {
        return (long) COUNTERS.getOpaque(counters, counter);
    }

    private static Histogram histogram(Counts live) {
        return Histogram.of(live.counts(), live.sums(), live.max());
    }

    /** What was measured so far. Any thread. */
    LoopStatistics snapshot(int tasks) {
        return new LoopStatistics(
                histogram(turns),
                histogram(ready),
                histogram(callbacks),
                histogram(polls),
                histogram(pollLimits),
                histogram(oversleeps),
                read(FOR_READY),
                read(FOR_TIMERS),
                read(FOR_EVENTS),
                histogram(events),
                read(CALLS),
                read(POSTS),
                histogram(readyDelay),
                histogram(wakeDelay),
                histogram(timerLateness),
                tasks);
    }
}
