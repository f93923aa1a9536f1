package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.util.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A loop that runs, and what it was at when it was looked at last. The watch's thread only, unless a method says so. */
final class WatchedLoop {
    /** Whether somebody was told of a stall who must be told of its end too, and who removes the loop at the end. */
    private enum Phase {
        WATCHED,
        TOLD,
        ENDED
    }

    /** Who loads classes and links code, which takes its time at the start of a program. */
    private static final List<String> LINKING = List.of(
            "java.lang.invoke.",
            "java.lang.ClassLoader",
            "jdk.internal.loader.",
            "jdk.internal.foreign.",
            "java.lang.foreign.");

    /** So many limits are enough for that. */
    private static final int WARM_UP = 20;

    static final long SLOWEST_TICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long FASTEST_TICK = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TICKS_A_LIMIT = 4;

    private final Scheduler scheduler;
    private final long limitNanos;
    private final Path schedule;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WATCHED);
    private long mark;
    private long since;

    /** When it is next looked at what the loop is at. */
    private long lookAt;

    /** How long the thread had waited for a CPU when it was first seen at the same thing. */
    private long delayedBefore = -1;

    private @Nullable Stall told;

    WatchedLoop(Scheduler scheduler, Duration limit, long threadId) {
        this.scheduler = scheduler;
        this.limitNanos = Durations.nanos(limit, "stallLimit");
        this.schedule = Path.of("/proc/self/task/" + threadId + "/schedstat");
    }

    /** Any thread. */
    boolean isOf(EventLoop loop) {
        return scheduler.loop() == loop;
    }

    /** How often it must be looked at. Any thread. */
    long tickNanos() {
        return tickNanos(limitNanos);
    }

    static long tickNanos(long limitNanos) {
        return Math.clamp(limitNanos / TICKS_A_LIMIT, FASTEST_TICK, SLOWEST_TICK);
    }

    /** The loop runs no more; false when it must be looked at once again. Any thread. */
    boolean end() {
        return phase.getAndSet(Phase.ENDED) == Phase.WATCHED;
    }

    /** Looks at a time; whoever is late by so much was stopped, and so may the loop have been. False at its end. */
    boolean look(long now, long late) {
        boolean goesOn = phase.get() != Phase.ENDED;
        long markNow = goesOn ? scheduler.workMark() : 0;
        if (markNow == 0 || markNow != mark) {
            changed(markNow, now, late);
        } else {
            lasts(now, late);
        }
        return goesOn;
    }

    private void changed(long markNow, long now, long late) {
        var over = told;
        long lasted = now - late - since;
        told = null;
        mark = markNow;
        since = now;
        lookAt = now + limitNanos;
        delayedBefore = -1;
        if (over != null) {
            phase.compareAndSet(Phase.TOLD, Phase.WATCHED);
            scheduler.stallOver(over, Duration.ofNanos(lasted));
        }
    }

    private void lasts(long now, long late) {
        since += late;
        lookAt += late;
        if (told != null) {
            return;
        }
        if (delayedBefore < 0) {
            delayedBefore = delayed();
        }
        if (now - lookAt >= 0) {
            stalled(now);
        }
    }

    private void stalled(long now) {
        long waited = Math.max(0, delayed() - delayedBefore);
        if (now - since - waited < limitNanos) {
            // It wants to go on, and does not get a CPU.
            return;
        }
        var action = scheduler.currentAction();
        var what = action == null ? "a callback" : ErrorReporter.describe(action);
        var where = new Throwable("it is here");
        var creation = Created.of(action);
        if (creation != null) {
            where.initCause(creation);
        }
        var thread = scheduler.workingThread();
        if (thread != null) {
            where.setStackTrace(thread.getStackTrace());
        }
        if (scheduler.workMark() != mark) {
            // It has gone on meanwhile: the stack may be another's.
            return;
        }
        boolean cold = StallWatch.isCold(now) || warmsUp(where.getStackTrace());
        if (cold && now - since < WARM_UP * limitNanos) {
            lookAt = now + limitNanos;
            return;
        }
        if (phase.compareAndSet(Phase.WATCHED, Phase.TOLD)) {
            var stall = new Stall(scheduler.loop(), what, Duration.ofNanos(now - since), where);
            told = stall;
            scheduler.stalled(stall);
        }
    }

    /** Whether the JVM loads a class or links code for the first time, which no user can help. */
    static boolean warmsUp(StackTraceElement[] stack) {
        for (var frame : stack) {
            var name = frame.getClassName();
            if (LINKING.stream().anyMatch(name::startsWith)) {
                return true;
            }
            if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
                return false;
            }
        }
        return false;
    }

    /** How long the loop's thread has waited for a CPU so far, in ns; 0 where the kernel does not tell. */
    private long delayed() {
        try {
            var fields = Files.readString(schedule).split(" ", -1);
            return fields.length < 2 ? 0 : Long.parseLong(fields[1].strip());
        } catch (IOException | NumberFormatException untold) {
            return 0;
        }
    }
}
