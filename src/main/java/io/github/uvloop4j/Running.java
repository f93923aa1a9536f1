package io.github.uvloop4j;

import io.github.uvloop4j.carrier.Monitors;
import io.github.uvloop4j.carrier.RunWatch;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.Throwables;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Who runs a loop, and until when: one thread at a time, until it is stopped, an error is fatal, or it is closed. */
final class Running {
    private final Scheduler scheduler;

    /** Taken by whoever runs or closes the loop, so that two threads never do. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private volatile int run;
    private boolean ending;
    private @Nullable Throwable fatal;

    /** The loop that runs in a thread. */
    private static final class Here {
        static final ThreadLocal<@Nullable EventLoop> LOOP = new ThreadLocal<>();

        private Here() {}
    }

    Running(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Whether a thread runs or closes the loop. Any thread. */
    boolean isTaken() {
        return taken.get();
    }

    /** Whether no further turn is to come. */
    boolean isEnding() {
        return ending;
    }

    /** Has turns come, or come to an end. */
    void ending(boolean value) {
        ending = value;
    }

    /** Ends the run by an error that leaves it. */
    void fail(Throwable error) {
        if (fatal == null) {
            fatal = error;
        }
        ending = true;
    }

    boolean hasFailed() {
        return fatal != null;
    }

    /** Takes the loop for a thread, which is its thread from now on. Any thread. */
    void claim(Thread thread) {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException(scheduler.loop() + " is running already");
        }
        if (scheduler.uv().isClosed()) {
            taken.set(false);
            throw new IllegalStateException(scheduler.loop() + " is closed");
        }
        scheduler.own(thread);
    }

    /** Claims the loop and runs it: one turn, or until it is stopped. The prologue is its first callback. */
    void run(boolean forever, Runnable prologue) {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(
                    "a loop runs on a platform thread: it would pin the virtual thread's carrier for good");
        }
        if (Here.LOOP.get() != null) {
            throw new IllegalStateException("another loop is running in this thread: " + Here.LOOP.get());
        }
        if (forever || scheduler.debug() || run == 0) {
            checkMonitors();
        }
        try (var _ = forever ? LoopPinning.enter(scheduler.loop().options().pinning()) : null) {
            claim(Thread.currentThread());
            runClaimed(forever, prologue);
        }
    }

    private void checkMonitors() {
        var monitor = scheduler.loop().tasksRideOnLoop() ? Monitors.held() : null;
        if (monitor != null) {
            throw new IllegalStateException("a loop cannot run inside synchronized, here on "
                    + monitor.getClass().getName() + ": a task that parks would take the monitor with it");
        }
    }

    void runClaimed(boolean forever, Runnable prologue) {
        Throwable error;
        Here.LOOP.set(scheduler.loop());
        scheduler.face().runsHere();
        WatchedLoop watched = null;
        try {
            watched = forever ? StallWatch.begin(scheduler) : null;
            RunWatch.changed();
            scheduler.meter().starts();
            prologue.run();
            do {
                scheduler.turn(forever);
            } while (forever && !ending);
        } finally {
            StallWatch.end(watched);
            Here.LOOP.remove();
            scheduler.rest();
            error = release();
            RunWatch.changed();
        }
        rethrow(error);
    }

    /** Gives a loop back that was claimed for a thread, and did not run. */
    void abandon() {
        release();
        scheduler.own(Thread.currentThread());
    }

    /** Gives the loop back; returns what must leave it. */
    private @Nullable Throwable release() {
        var error = fatal;
        fatal = null;
        ending = false;
        run++;
        taken.set(false);
        return error;
    }

    private static void rethrow(@Nullable Throwable error) {
        if (error != null) {
            Throwables.<RuntimeException>sneak(error);
        }
    }

    /** Stops the run that goes on now, or the next one when none does; never one after that. Any thread. */
    void stop() {
        int wanted = run;
        Runnable request = () -> ending |= wanted == run;
        if (scheduler.inLoop()) {
            scheduler.soon(request);
            return;
        }
        try {
            scheduler.post(request);
        } catch (RejectedExecutionException closed) {
            // Nothing is left to stop.
        }
    }

    void close() {
        if (scheduler.uv().isClosed()) {
            return;
        }
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException(scheduler.loop() + " is running: stop it first");
        }
        Throwable error;
        try {
            if (!scheduler.uv().isClosed()) {
                scheduler.own(Thread.currentThread());
                closeClaimed();
            }
        } finally {
            error = release();
        }
        rethrow(error);
    }

    private void closeClaimed() {
        try {
            new Closing(scheduler).run();
            scheduler.end();
        } finally {
            scheduler.tasks().close();
            LoopRegistry.remove(scheduler);
        }
    }
}
