package io.github.uvloop4j.affinity;

import io.github.uvloop4j.ffi.libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pins threads, by the system calls that it is given. Any thread. */
final class Binder {
    private static final int SELF = 0;
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    /** Told before each pin, and after each change of what is pinned. */
    interface Watch {
        void expect();

        void changed();
    }

    private final Masks masks;
    private final Pins pins = new Pins();
    private static final ThreadLocal<@Nullable Scope> TOP = new ThreadLocal<>();
    private final int leader = libc.getpid();
    private final Watch watch;
    private volatile @Nullable CpuSet initial;

    /** Pins by some system calls; the watch sees to it that nobody else is pinned by that. */
    Binder(AffinityCalls calls, Function<Binder, Watch> watch) {
        this.masks = new Masks(calls);
        this.watch = watch.apply(this);
        try {
            initial();
        } catch (AffinityException impossible) {
            // Told to whoever asks.
        }
    }

    Masks masks() {
        return masks;
    }

    Pins pins() {
        return pins;
    }

    CpuSet initial() {
        var known = initial;
        if (known == null) {
            known = of(leader);
            initial = known;
        }
        return known;
    }

    CpuSet allowed() {
        return pins.of(leader) == null ? of(leader) : initial();
    }

    CpuSet online() {
        try {
            return CpuSet.parse(Files.readString(ONLINE));
        } catch (IOException | IllegalArgumentException hidden) {
            return allowed();
        }
    }

    CpuSet current() {
        return of(SELF);
    }

    CpuSet of(int tid) {
        try {
            return masks.get(tid);
        } catch (Masks.Failure failure) {
            var none = CpuSet.empty();
            var thread = tid == SELF ? "the calling thread" : "thread " + tid;
            throw new AffinityException(
                    none, none, none, "the CPUs of " + thread + " cannot be read: " + failure.getMessage(), failure);
        }
    }

    /** Pins the calling thread for good. */
    void pin(CpuSet cpus) {
        check(cpus);
        enter(cpus);
    }

    /** Pins the calling thread until the scope is closed. */
    Scope pinned(CpuSet cpus) {
        check(cpus);
        int tid = libc.gettid();
        var before = current();
        var pinnedBefore = pins.of(tid);
        if (pinnedBefore == null && pins.knows(before)) {
            // It has them from the thread that started it.
            before = initial();
        }
        enter(cpus);
        var scope = new Scope(this, TOP.get(), before, pinnedBefore);
        TOP.set(scope);
        return scope;
    }

    /** Gives the calling thread the initial CPUs. */
    void unpin() {
        notVirtual();
        synchronized (pins) {
            restore(initial());
            pins.remove(libc.gettid());
        }
        watch.changed();
    }

    int leader() {
        return leader;
    }

    /** Whether a thread of any process has one of some sets. */
    boolean hasOneOf(int tid, Set<CpuSet> sets) {
        try {
            return sets.contains(masks.get(tid));
        } catch (Masks.Failure ended) {
            return false;
        }
    }

    /** Gives a thread that was pinned by inheritance the initial CPUs. */
    boolean release(int tid) {
        synchronized (pins) {
            return pins.of(tid) == null && masks.trySet(tid, initial()) >= 0;
        }
    }

    /** Gives the calling thread, which nobody pinned but by inheritance, the initial CPUs if it can have them. */
    void settle() {
        try {
            restore(initial());
        } catch (AffinityException impossible) {
            // Then nobody can be pinned either.
        }
    }

    /** Gives the calling thread what it had before a scope, which is closed now. */
    void leave(Scope scope) {
        for (var inner = TOP.get(); inner != null && inner != scope; inner = inner.outer) {
            inner.markClosed();
        }
        if (scope.outer == null) {
            TOP.remove();
        } else {
            TOP.set(scope.outer);
        }
        var before = scope.before;
        if (before == null) {
            return;
        }
        int tid = libc.gettid();
        synchronized (pins) {
            restore(before);
            var pinnedBefore = scope.pinnedBefore;
            if (pinnedBefore == null) {
                pins.remove(tid);
            } else {
                pins.add(tid, pinnedBefore);
            }
        }
        watch.changed();
    }

    private void check(CpuSet cpus) {
        notVirtual();
        checkAllowed(cpus);
    }

    void checkAllowed(CpuSet cpus) {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a thread cannot be pinned to no CPU");
        }
        var allowed = allowed();
        if (!allowed.containsAll(cpus)) {
            throw new AffinityException(
                    cpus, allowed, online(), "a thread cannot have CPUs that its process may not use", null);
        }
    }

    private static void notVirtual() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread has no CPUs of its own, it runs on any carrier thread: "
                    + "pin a platform thread, or a loop by its options");
        }
    }

    private void enter(CpuSet cpus) {
        watch.expect();
        int tid = libc.gettid();
        synchronized (pins) {
            var before = current();
            int result = masks.trySet(SELF, cpus);
            if (result < 0) {
                throw refused(cpus, Masks.describe("sched_setaffinity", -result));
            }
            var got = current();
            if (!got.equals(cpus)) {
                restore(before);
                throw refused(cpus, "the kernel left only CPUs " + got);
            }
            pins.add(tid, cpus);
        }
        watch.changed();
    }

    private AffinityException refused(CpuSet cpus, String why) {
        return new AffinityException(cpus, allowed(), online(), "the thread cannot be pinned: " + why, null);
    }

    /** What a thread had may not be there any more. */
    private void restore(CpuSet cpus) {
        if (masks.trySet(SELF, cpus) < 0) {
            masks.trySet(SELF, allowed());
        }
    }
}
