package io.github.uvloop4j.affinity;

import io.github.uvloop4j.ffi.libc;

/**
 * Which CPUs a thread may use. Linux keeps a set for each thread; one that is started inherits that of the thread that
 * starts it, and so does a child process.
 *
 * {@snippet :
 * Affinity.pin(CpuSet.of(Affinity.allowed().first()));         // for good
 * try (var _ = Affinity.pinned(CpuSet.parse("2-3"))) {   // for a time
 *     compute();
 * }
 * }
 */
public final class Affinity {
    private static final class Holder {
        static final Binder BINDER = new Binder(new AffinityCalls.Kernel(), NoLeak::new);

        private Holder() {}
    }

    private Affinity() {}

    static Binder binder() {
        return Holder.BINDER;
    }

    /**
     * The CPUs that this process was started with: those of the JVM's first native thread, which runs no Java, when
     * they were first asked for. Right on a pinned thread as well. Any thread.
     *
     * @throws AffinityException where the kernel does not tell
     */
    public static CpuSet initial() {
        return binder().initial();
    }

    /**
     * The CPUs that this process may use now: they change with the process's cpuset, and when a CPU is taken away. Any
     * thread. Throws as {@link #initial} does.
     */
    public static CpuSet allowed() {
        return binder().allowed();
    }

    /** The CPUs that are on; what is allowed where the system hides them. Any thread. */
    public static CpuSet online() {
        return binder().online();
    }

    /** The CPUs of the calling thread; of its carrier, on a virtual thread. Any thread. Throws as {@link #initial}. */
    public static CpuSet current() {
        return binder().current();
    }

    /**
     * The CPUs of a thread of any process. Any thread.
     *
     * @param tid the kernel's number of it, as {@link #threadId} has it
     * @throws AffinityException when there is no such thread
     */
    public static CpuSet of(long tid) {
        if (tid < 1 || tid > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no thread has the number " + tid);
        }
        return binder().of((int) tid);
    }

    /**
     * Checks that threads can be pinned to a set, as far as that can be told without doing it. Any thread.
     *
     * @throws IllegalArgumentException when the set is empty
     * @throws AffinityException when some of them are not allowed
     */
    public static void checkAllowed(CpuSet cpus) {
        binder().checkAllowed(cpus);
    }

    /**
     * Pins the calling thread for good, or until the scope closes within which this is called. Any platform thread.
     *
     * @throws IllegalArgumentException when the set is empty
     * @throws IllegalStateException on a virtual thread
     * @throws AffinityException when it cannot have all of them; it keeps those that it had
     */
    public static void pin(CpuSet cpus) {
        binder().pin(cpus);
    }

    /** Pins the calling thread until the scope is closed. Any platform thread. Throws as {@link #pin} does. */
    public static Scope pinned(CpuSet cpus) {
        return binder().pinned(cpus);
    }

    /** Gives the calling thread the initial CPUs. Any platform thread. */
    public static void unpin() {
        binder().unpin();
    }

    /**
     * How many processors the JVM may use, as {@link Runtime#availableProcessors} tells a thread that is not pinned. Any
     * thread.
     */
    public static int availableProcessors() {
        return NoLeak.availableProcessors();
    }

    /** The kernel's number of the calling thread; of its carrier, on a virtual thread. Any thread. */
    public static long threadId() {
        return libc.gettid();
    }
}
