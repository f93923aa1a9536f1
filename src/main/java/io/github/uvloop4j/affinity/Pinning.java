package io.github.uvloop4j.affinity;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * To which CPUs a thread is to be pinned, and what happens when that is not possible. Immutable; each method that is
 * named like a component returns a changed copy. Any thread.
 *
 * @param cpus the CPUs; none leaves the thread as it is
 * @param required whether it is an error when the thread cannot have all of them; else it gets those that it can have,
 *     or stays as it is, and a warning is logged once
 * @param localMemory whether memory that the thread touches first is preferred from the NUMA node of the CPUs
 */
public record Pinning(CpuSet cpus, boolean required, boolean localMemory) {
    /** Leaves threads as they are. */
    public static final Pinning NONE = new Pinning(CpuSet.empty(), false, false);

    /** Needs a set, be it empty. */
    public Pinning {
        Objects.requireNonNull(cpus, "cpus");
    }

    /** Pins to some CPUs, or fails; to none: {@link #NONE}. */
    public static Pinning to(CpuSet cpus) {
        return cpus.isEmpty() ? NONE : new Pinning(cpus, true, false);
    }

    /** A copy that pins as far as it can. */
    public Pinning optional() {
        return new Pinning(cpus, false, localMemory);
    }

    /** A copy that prefers memory of the CPUs' NUMA node, or does not. */
    public Pinning localMemory(boolean value) {
        return new Pinning(cpus, required, value);
    }

    /** Whether it leaves threads as they are. */
    public boolean isNone() {
        return cpus.isEmpty();
    }

    /**
     * Pins the calling thread until the scope is closed. What it cannot have is logged by System.Logger
     * {@code io.github.uvloop4j}, on another thread. Any platform thread.
     *
     * @throws IllegalStateException on a virtual thread, if there are CPUs
     * @throws AffinityException when pinning is required and the thread cannot have all the CPUs
     */
    public Scope enter() {
        return enter(Complaints::log);
    }

    /** {@link #enter()} with something else that logs. */
    public Scope enter(Consumer<? super String> log) {
        if (isNone()) {
            return Scope.nothing();
        }
        var scope = enter(Affinity.binder(), log);
        if (localMemory && !scope.isNothing()) {
            LocalMemory.prefer(cpus, scope, log);
        }
        return scope;
    }

    Scope enter(Binder binder, Consumer<? super String> log) {
        if (required) {
            return binder.pinned(cpus);
        }
        try {
            var allowed = binder.allowed();
            var possible = cpus.intersect(allowed);
            if (!possible.equals(cpus)) {
                Complaints.once(
                        "CPUs " + cpus.minus(allowed) + " are not allowed (allowed: " + allowed + "): "
                                + (possible.isEmpty() ? "threads run unpinned" : "pinned to " + possible + " only"),
                        log);
            }
            return possible.isEmpty() ? Scope.nothing() : binder.pinned(possible);
        } catch (AffinityException impossible) {
            Complaints.once("threads run unpinned: " + impossible.getMessage(), log);
            return Scope.nothing();
        }
    }
}
