package io.github.uvloop4j.carrier;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs what waits in one loop, each once, until whoever was blocked goes on: any of it may hold the lock. It has a
 * thread of its own, since a step may block that as well.
 */
final class Rescuer implements Runnable {
    private static final long BETWEEN_NANOS = 100_000;

    private final Tasks tasks;
    private final Asides.@Nullable Aside below;
    private final AtomicInteger running;

    private Rescuer(Tasks tasks, Asides.@Nullable Aside below, AtomicInteger running) {
        this.tasks = tasks;
        this.below = below;
        this.running = running;
    }

    /** Starts one for a step that is blocked (null: the loop thread); counts it until it ends. */
    static void start(Tasks tasks, Asides.@Nullable Aside below, AtomicInteger running) {
        var thread = Rescue.daemon("uvloop4j-rescue-run", new Rescuer(tasks, below, running));
        running.incrementAndGet();
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                running.decrementAndGet();
            }
        }
    }

    @Override
    public void run() {
        try {
            help();
        } catch (Throwable error) {
            LoopLog.error("the rescue carrier failed", error);
        } finally {
            running.decrementAndGet();
        }
    }

    private void help() {
        Throwable where = null;
        int ran = 0;
        for (var steps : tasks.queued()) {
            var stacks = where == null ? stacks(tasks.blockedThread(below), steps.thread()) : where;
            if (!tasks.runAside(steps, below)) {
                break;
            }
            ran++;
            if (where == null) {
                LoopLog.warn(
                        "the loop thread was blocked while task " + steps.task().name()
                                + " could go on; the rescue carrier ran it",
                        stacks);
            }
            where = stacks;
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
        if (ran > 1) {
            LoopLog.warn("the rescue carrier ran " + ran + " steps of tasks in one go", null);
        }
    }

    private static Throwable stacks(@Nullable Thread loop, Thread task) {
        var where = stack("the loop thread is blocked here", loop);
        where.addSuppressed(stack("the task goes on here", task));
        return where;
    }

    private static Throwable stack(String what, @Nullable Thread thread) {
        var where = new Throwable(what);
        where.setStackTrace(thread == null ? new StackTraceElement[0] : thread.getStackTrace());
        return where;
    }
}
