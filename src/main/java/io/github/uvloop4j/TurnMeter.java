package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.WorkKind;
import io.github.uvloop4j.observe.LongTurn;
import io.github.uvloop4j.observe.Observers;
import io.github.uvloop4j.util.Counts;
import io.github.uvloop4j.uv.UvEvent;
import io.github.uvloop4j.uv.UvLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures a loop's turns. Each mark is one reading of the clock: where a turn begins, where it polls, the first event,
 * its end. Allocates nothing. Loop thread only, but for what says otherwise.
 */
final class TurnMeter {
    private static final long OVERSLEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int FOR_READY = 0;
    private static final int FOR_TIMERS = 1;
    private static final int FOR_EVENTS = 2;
    private static final int CALLS = 3;
    private static final int POSTS = 4;
    private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);

    private final boolean on;
    private final Observers observers;
    private final UvLoop.Driver driver;
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
    private final Counts calls = new Counts();
    private final Counts timers = new Counts();
    private final Counts steps = new Counts();
    private final Map<UvEvent, Counts> eventTimes = new EnumMap<>(UvEvent.class);
    private final long[] counters = new long[5];

    private long begun;
    private @Nullable Counts kind;
    private long kindSince;
    private int ran;
    private long polledFrom;
    private long limitNanos;
    private boolean waiting;
    private long waitingSince;

    TurnMeter(boolean on, UvLoop.Driver driver, Observers observers) {
        this.on = on;
        this.driver = driver;
        this.observers = observers;
        for (var kind : UvEvent.values()) {
            eventTimes.put(kind, new Counts());
        }
        driver.timing(on ? this::stretch : null);
    }

    private void stretch(UvEvent of, long nanos) {
        times(of).record(nanos);
    }

    private Counts times(UvEvent of) {
        return Objects.requireNonNull(eventTimes.get(of));
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
        ran = count;
        if (on && count > 0) {
            add(CALLS, count);
            if (waiting) {
                waiting = false;
                readyDelay.record(begun - waitingSince);
            }
        }
    }

    /** One of them is about to run. */
    void begins(Runnable action) {
        if (on) {
            var next = action instanceof Task<?> ? steps : action instanceof DeadlineCall ? timers : calls;
            if (next != kind) {
                change(next);
            }
        }
    }

    private void change(@Nullable Counts next) {
        long now = kind == null ? begun : System.nanoTime();
        stretchEnds(now);
        kind = next;
        kindSince = now;
    }

    private void stretchEnds(long now) {
        if (kind != null) {
            kind.record(now - kindSince);
        }
    }

    /** The loop polls, for at most so many ms; -1 without limit. */
    void polls(int limitMillis, boolean blocking) {
        if (!on) {
            return;
        }
        polledFrom = System.nanoTime();
        stretchEnds(polledFrom);
        kind = null;
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

    /** The poll is over and its callbacks have run. The end of the turn. */
    void polled() {
        if (!on) {
            return;
        }
        long firstAt = driver.firstEventNanos();
        long end = System.nanoTime();
        long pollEnd = firstAt == 0 ? end : firstAt;
        polls.record(pollEnd - polledFrom);
        if (limitNanos >= 0 && pollEnd - polledFrom - limitNanos >= OVERSLEPT_NANOS) {
            overslept(pollEnd - polledFrom);
        }
        if (firstAt != 0) {
            driver.eventsOver(end);
            events.record(driver.events());
            callbacks.record(end - pollEnd);
        }
        long busy = polledFrom - begun + end - pollEnd;
        turns.record(busy);
        if (busy >= LONG_NANOS) {
            wasLong(polledFrom - begun, end - pollEnd);
        }
        begun = end;
    }

    private void overslept(long took) {
        oversleeps.record(took - limitNanos);
        observers.overslept(Duration.ofNanos(limitNanos), Duration.ofNanos(took));
    }

    private void wasLong(long readyNanos, long callbackNanos) {
        observers.turnWasLong(
                new LongTurn(Duration.ofNanos(readyNanos), Duration.ofNanos(callbackNanos), ran, driver.events()));
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

    private Map<WorkKind, Histogram> kinds() {
        var kinds = new EnumMap<WorkKind, Histogram>(WorkKind.class);
        kinds.put(WorkKind.CALL, histogram(calls));
        kinds.put(WorkKind.TIMER, histogram(timers));
        kinds.put(WorkKind.STEP, histogram(steps));
        kinds.put(WorkKind.READ, histogram(times(UvEvent.READ)));
        kinds.put(WorkKind.ACCEPT, histogram(times(UvEvent.CONNECTION)));
        kinds.put(WorkKind.REQUEST, histogram(times(UvEvent.REQUEST)));
        kinds.put(WorkKind.POLL, histogram(times(UvEvent.POLL)));
        kinds.put(WorkKind.WATCHER, histogram(times(UvEvent.WATCHER)));
        return kinds;
    }

    /** What was measured so far. Any thread. */
    LoopStatistics snapshot(Scheduler scheduler) {
        var workers = scheduler.loop().workers();
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
                kinds(),
                scheduler.io().statistics(),
                driver.handles(),
                scheduler.tasks().made(),
                scheduler.tasks().count(),
                workers.started(),
                workers.running());
    }
}
