package io.github.uvloop4j.affinity;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Gives the initial CPUs to threads and processes that have theirs from a thread that is pinned: whoever is started by
 * one inherits them, be it a carrier of virtual threads or another program, and nobody is asked. A daemon looks for them
 * every {@value #TICK_MILLIS} ms as long as something is pinned, and something was started.
 *
 * <p>Who has the set of a pinned thread, and was not pinned by this package, counts as one of them. A thread that has
 * another set is left alone.
 */
final class Sweeper {
    static final int TICK_MILLIS = 50;

    private static final long TICK_NANOS = TICK_MILLIS * 1_000_000L;

    /** So many looks after something was started, which need not be visible at once. */
    private static final int LOOKS = 3;

    /** From so many looks one goes through all threads: a thread's number may be another's by now. */
    private static final int THOROUGH = 20;

    private final Binder binder;
    private final Children children;
    private final TaskClock clock = new TaskClock();

    /** The threads that were seen and do not have their CPUs from another. */
    private Set<Integer> known = Set.of();

    private int ticks;

    /** How many more looks there must be though nothing is started. */
    private int looks;

    /** How many looks in a row found nobody, since threads were pinned or released. */
    private int quiet;

    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    Sweeper(Binder binder) {
        this.binder = binder;
        this.children = new Children(binder);
    }

    /** What is pinned has changed. Any thread. */
    void arm() {
        if (!armed.compareAndSet(false, true)) {
            return;
        }
        try {
            LockSupport.unpark(started());
        } catch (OutOfMemoryError noThread) {
            // The next change tries again.
            armed.set(false);
        }
    }

    private Thread started() {
        var known = thread;
        if (known == null) {
            synchronized (this) {
                known = thread;
                if (known == null) {
                    known = NoLeak.daemon("uvloop4j-unpin", Unpinned.unpinned(this::run));
                    known.start();
                    thread = known;
                }
            }
        }
        return known;
    }

    private void run() {
        clock.check();
        boolean watching = false;
        while (true) {
            boolean changed = armed.getAndSet(false);
            if (changed || watching) {
                watching = tickSafely(changed);
                LockSupport.parkNanos(TICK_NANOS);
            } else {
                LockSupport.park();
            }
            Thread.interrupted();
        }
    }

    private boolean tickSafely(boolean changed) {
        try {
            return tick(changed);
        } catch (Throwable impossible) {
            // Threads end while they are looked at, and memory may be short: the next look finds what this one missed.
            return true;
        }
    }

    /** Looks if there may be somebody; whether it must go on. */
    private boolean tick(boolean changed) {
        boolean moved = clock.hasMoved();
        boolean thorough = changed || ++ticks % THOROUGH == 0;
        if (changed) {
            quiet = 0;
        }
        if (changed || moved) {
            looks = LOOKS;
        }
        if (looks == 0 && !thorough) {
            return true;
        }
        looks = Math.max(0, looks - 1);
        var view = binder.pins().view();
        var sets = new HashSet<>(view.sets());
        sets.remove(binder.initial());
        sets.remove(binder.allowed());
        if (sets.isEmpty()) {
            binder.pins().forget(view.former());
            return false;
        }
        look(view, sets, thorough);
        return true;
    }

    private void look(Pins.View view, Set<CpuSet> sets, boolean thorough) {
        var parents = new HashSet<>(view.threads());
        if (!view.former().isEmpty()) {
            // It inherits the children of threads that have ended.
            parents.add(binder.leader());
        }
        boolean found = lookAtThreads(sets, thorough ? Set.of() : known, parents);
        found |= children.look(sets, parents);
        if (found) {
            looks = LOOKS;
            quiet = 0;
        } else if (++quiet >= LOOKS) {
            binder.pins().forget(view.former());
        }
    }

    /** Looks at the threads but those that are known; adds those that it finds to the parents of others. */
    private boolean lookAtThreads(Set<CpuSet> sets, Set<Integer> skipped, Set<Integer> parents) {
        boolean found = false;
        var fine = new HashSet<Integer>();
        for (int tid : ProcTasks.threads()) {
            if (skipped.contains(tid) || !binder.hasOneOf(tid, sets)) {
                fine.add(tid);
            } else if (binder.release(tid)) {
                parents.add(tid);
                found = true;
            }
        }
        known = fine;
        return found;
    }
}
