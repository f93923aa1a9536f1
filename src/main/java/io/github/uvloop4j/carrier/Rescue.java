package io.github.uvloop4j.carrier;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lends a thread to tasks whose loop thread is blocked in Java. A lock can be handed to a parked task while a callback
 * on the loop thread waits for the same lock: the task could only go on there, so nobody could.
 *
 * <p>One daemon thread serves all loops. It sleeps until a task's step is queued, and looks at the loops every few
 * milliseconds only as long as tasks are active.
 */
final class Rescue {
    private static final long TICK_NANOS = 10_000_000;
    private static final long BETWEEN_NANOS = 100_000;
    private static final int QUIET_TICKS = 10;

    /** So many looks must find a loop blocked and where it was: less may be a class that is being loaded. */
    private static final int SUSPICIOUS_LOOKS = 5;

    private static final AtomicBoolean ARMED = new AtomicBoolean();
    private static final Set<Watched> LOOPS = ConcurrentHashMap.newKeySet();

    /** A loop and how far it was when it was last looked at. */
    private static final class Watched {
        private final Tasks tasks;
        private long progress = -1;
        private long steps = -1;
        private int blockedLooks;

        Watched(Tasks tasks) {
            this.tasks = tasks;
        }

        /** Helps if the loop has been blocked for some looks with a step waiting; whether its tasks are active. */
        boolean look() {
            long stepsNow = tasks.stepsRun();
            boolean active = stepsNow != steps;
            steps = stepsNow;
            long now = tasks.host().progress();
            if (now != progress || !tasks.hasQueued()) {
                progress = now;
                blockedLooks = 0;
                return active;
            }
            blockedLooks = tasks.loopBlocked() ? blockedLooks + 1 : 0;
            if (blockedLooks >= SUSPICIOUS_LOOKS) {
                help(tasks);
            }
            return true;
        }
    }

    private static final class Holder {
        static final Thread THREAD =
                Thread.ofPlatform().daemon().name("uvloop4j-rescue").start(Rescue::watchAll);

        private Holder() {}
    }

    private Rescue() {}

    static void watch(Tasks tasks) {
        LOOPS.add(new Watched(tasks));
    }

    static void unwatch(Tasks tasks) {
        LOOPS.removeIf(watched -> watched.tasks == tasks);
    }

    /** A step was queued: keep an eye on the loops for a while. Any thread; no lock. */
    static void arm() {
        if (!ARMED.getOpaque() && ARMED.compareAndSet(false, true)) {
            LockSupport.unpark(Holder.THREAD);
        }
    }

    private static void watchAll() {
        while (true) {
            while (!ARMED.get()) {
                LockSupport.park();
            }
            for (int quiet = 0; quiet < QUIET_TICKS; ) {
                LockSupport.parkNanos(TICK_NANOS);
                quiet = lookAtAll() ? 0 : quiet + 1;
            }
            ARMED.set(false);
            // Whoever still saw the old value has its step queued, visibly, by the end of this.
            LockSupport.parkNanos(TICK_NANOS);
            for (var watched : LOOPS) {
                if (watched.tasks.hasQueued()) {
                    ARMED.set(true);
                }
            }
        }
    }

    private static boolean lookAtAll() {
        boolean active = false;
        for (var watched : LOOPS) {
            try {
                active |= watched.look();
            } catch (Throwable error) {
                LoopLog.error("the rescue carrier failed", error);
            }
        }
        return active;
    }

    /** Runs what waits, each once, until the loop thread goes on: any of it may hold the lock. */
    private static void help(Tasks tasks) {
        if (sleeps(tasks.blockedThread())) {
            return;
        }
        Throwable where = null;
        int ran = 0;
        for (var steps : tasks.queued()) {
            var task = steps.task();
            var stacks = where == null ? stacks(tasks.blockedThread(), steps.thread()) : where;
            if (!tasks.runAside(steps)) {
                break;
            }
            ran++;
            if (where == null) {
                LoopLog.warn(
                        "the loop thread was blocked while task " + task.name()
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

    /** A callback that sleeps waits for nobody: its loop is only slow. */
    private static boolean sleeps(@Nullable Thread thread) {
        if (thread == null) {
            return true;
        }
        for (var frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("java.lang.Thread")
                    && frame.getMethodName().startsWith("sleep")) {
                return true;
            }
            if (!frame.getClassName().startsWith("java.")) {
                return false;
            }
        }
        return false;
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
