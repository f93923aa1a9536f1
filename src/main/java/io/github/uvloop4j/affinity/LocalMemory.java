package io.github.uvloop4j.affinity;

import java.util.OptionalInt;
import java.util.function.Consumer;

/** Prefers memory of the NUMA node of pinned threads, where that is possible. */
final class LocalMemory {
    /** Some thread prefers a node, and may have passed that on to one that it started. */
    private static volatile boolean used;

    private LocalMemory() {}

    /** On the thread that a scope has pinned to some CPUs. */
    static void prefer(CpuSet cpus, Scope scope, Consumer<? super String> log) {
        try {
            var topology = CpuTopology.read();
            var nodes = cpus.intersect(topology.online()).stream()
                    .map(topology::nodeOf)
                    .distinct()
                    .toArray();
            if (nodes.length != 1) {
                Complaints.once(
                        "no memory is preferred: CPUs " + cpus + " are of " + nodes.length + " NUMA nodes", log);
                return;
            }
            var before = MemoryPolicy.preferred();
            used = true;
            MemoryPolicy.prefer(nodes[0]);
            scope.afterwards(() -> restore(before));
        } catch (IllegalStateException | IllegalArgumentException impossible) {
            Complaints.once("no memory is preferred: " + impossible.getMessage(), log);
        }
    }

    private static void restore(OptionalInt before) {
        try {
            before.ifPresentOrElse(MemoryPolicy::prefer, MemoryPolicy::reset);
        } catch (IllegalStateException | IllegalArgumentException impossible) {
            // The thread may not have memory of that node any more: it keeps the one that it has.
        }
    }

    /** Takes from the calling thread what it may have inherited. */
    static void settle() {
        if (used && MemoryPolicy.isAvailable() && !Thread.currentThread().isVirtual()) {
            restore(OptionalInt.empty());
        }
    }
}
