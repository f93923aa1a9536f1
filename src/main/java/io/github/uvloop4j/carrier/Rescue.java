package io.github.uvloop4j.carrier;

import io.github.uvloop4j.affinity.Unpinned;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches for tasks whose loop thread is blocked in Java, and lends them a thread. A lock can be handed to a parked
 * task while a callback on the loop thread waits for the same lock: the task could only go on there, so nobody could.
 *
 * <p>One daemon thread watches all loops, and runs nothing of theirs. It sleeps until a task's step is queued or a loop
 * is posted to, and looks at the loops every few milliseconds only as long as tasks are active.
 */
final class Rescue {
    private static final long TICK_NANOS = 10_000_000;
    private static final int QUIET_TICKS = 10;
    private static final long PINNED_NANOS = 1_000_000_000;

    /** So many looks must find a loop blocked and where it was: less may be a class that is being loaded. */
    private static final int SUSPICIOUS_LOOKS = 5;

    /** So many rescued steps of one loop may be blocked themselves, each with its thread. */
    private static final int RESCUERS = 32;

    private static final AtomicBoolean ARMED = new AtomicBoolean();
    private static final Set<Watched> LOOPS = ConcurrentHashMap.newKeySet();

    /** A loop and how far it was when it was last looked at. */
    private static final class Watched {
        private final Tasks tasks;
        private final AtomicInteger rescuers = new AtomicInteger();
        private long progress = -1;
        private long steps = -1;
        private Asides.@Nullable Aside top;
        private int blockedLooks;
        private long blockedSince;
        private boolean told;

        Watched(Tasks tasks) {
            this.tasks = tasks;
        }

        /** Helps if whoever has the loop has been blocked for some looks; whether its tasks are active. */
        boolean look() {
            long stepsNow = tasks.stepsRun();
            boolean active = stepsNow != steps;
            steps = stepsNow;
            long progressNow = tasks.host().progress();
            var topNow = tasks.asides().top();
            if (progressNow != progress || topNow != top || !tasks.asides().isBlocked(topNow)) {
                progress = progressNow;
                top = topNow;
                blockedLooks = 0;
                told = false;
                return active;
            }
            if (++blockedLooks < SUSPICIOUS_LOOKS) {
                if (blockedLooks == 1) {
                    blockedSince = System.nanoTime();
                }
                return true;
            }
            tasks.wakeUntold();
            boolean waiting = tasks.hasWaiting();
            if (waiting) {
                help();
            }
            return lookAtPinned() || waiting || active;
        }

        private void help() {
            int depth = tasks.asides().depth();
            // More rescuers than steps aside: one of them is between two steps.
            if (depth == rescuers.get() && depth < RESCUERS && !sleeps(tasks.blockedThread(top))) {
                Rescuer.start(tasks, top, rescuers);
            }
        }

        /** Whether a task is blocked rather than a callback. */
        private boolean lookAtPinned() {
            var pinned = top == null ? tasks.runningSteps() : top.steps();
            if (pinned == null) {
                return false;
            }
            if (System.nanoTime() - blockedSince >= PINNED_NANOS) {
                blockedSince = System.nanoTime();
                pinned.pinned(!told);
                told = true;
            }
            return true;
        }
    }

    private static final class Holder {
        static final Thread THREAD = started(daemon("uvloop4j-rescue", Rescue::watchAll));

        private Holder() {}
    }

    private Rescue() {}

    /** A daemon that keeps nothing of the thread that happens to make it, nor of its CPUs. */
    static Thread daemon(String name, Runnable body) {
        var thread = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(Unpinned.unpinned(body));
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return thread;
    }

    private static Thread started(Thread thread) {
        thread.start();
        return thread;
    }

    static void watch(Tasks tasks) {
        LOOPS.add(new Watched(tasks));
    }

    static void unwatch(Tasks tasks) {
        LOOPS.removeIf(watched -> watched.tasks == tasks);
    }

    static boolean isArmed() {
        return ARMED.getOpaque();
    }

    /** Something happened to tasks: keep an eye on the loops for a while. Any thread; no lock. */
    static void arm() {
        if (!ARMED.getOpaque() && ARMED.compareAndSet(false, true)) {
            LockSupport.unpark(Holder.THREAD);
        }
    }

    private static void watchAll() {
        while (true) {
            while (!ARMED.get()) {
                LockSupport.park();
                Thread.interrupted();
            }
            for (int quiet = 0; quiet < QUIET_TICKS; ) {
                pause();
                quiet = lookAtAll() ? 0 : quiet + 1;
            }
            ARMED.set(false);
            // Whoever still saw the old value has its step queued, visibly, by the end of this.
            pause();
            for (var watched : LOOPS) {
                if (watched.tasks.hasWaiting()) {
                    ARMED.set(true);
                }
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(TICK_NANOS);
        Thread.interrupted();
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
}
