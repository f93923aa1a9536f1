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
    private static final int QUIET_TICKS = 10;

    private static final AtomicBoolean ARMED = new AtomicBoolean();
    private static final Set<Watched> LOOPS = ConcurrentHashMap.newKeySet();

    /** A loop and how far it was when it was last looked at. */
    private static final class Watched {
        private final Tasks tasks;
        private long progress = -1;

        Watched(Tasks tasks) {
            this.tasks = tasks;
        }

        boolean moved() {
            long now = tasks.host().progress();
            boolean moved = now != progress;
            progress = now;
            return moved;
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
        int quiet = 0;
        while (true) {
            if (quiet >= QUIET_TICKS) {
                ARMED.set(false);
                if (!anyStuck()) {
                    while (!ARMED.get()) {
                        LockSupport.park();
                    }
                }
                quiet = 0;
            }
            LockSupport.parkNanos(TICK_NANOS);
            boolean moved = false;
            for (var watched : LOOPS) {
                if (watched.moved()) {
                    moved = true;
                } else {
                    help(watched.tasks);
                }
            }
            quiet = moved || anyStuck() ? 0 : quiet + 1;
        }
    }

    private static boolean anyStuck() {
        for (var watched : LOOPS) {
            if (watched.tasks.loopBlocked()) {
                return true;
            }
        }
        return false;
    }

    private static void help(Tasks tasks) {
        try {
            if (!tasks.loopBlocked() || sleeps(tasks.host().loopThread())) {
                return;
            }
            var loopStack = stack(tasks.host().loopThread());
            var task = tasks.rescueOne();
            if (task != null) {
                LoopLog.warn(
                        "the loop thread was blocked while task " + task.name()
                                + " could go on; the rescue carrier ran it",
                        loopStack);
            }
        } catch (Throwable error) {
            LoopLog.error("the rescue carrier failed", error);
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

    private static Throwable stack(@Nullable Thread thread) {
        var where = new Throwable("the loop thread is blocked here");
        where.setStackTrace(thread == null ? new StackTraceElement[0] : thread.getStackTrace());
        return where;
    }
}
