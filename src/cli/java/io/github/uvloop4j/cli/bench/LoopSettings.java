package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.affinity.CpuSet;
import java.util.List;

/**
 * How a comparison of pinned and unpinned loops is made.
 *
 * @param cpus that loops may be pinned to, the first loop to the first one; empty: nothing is pinned
 * @param neighbourCommand starts a process that keeps one CPU busy and prints a line when it does
 */
public record LoopSettings(CpuSet cpus, List<String> neighbourCommand) {
    /** No such comparison. */
    public static final LoopSettings NONE = new LoopSettings(CpuSet.empty(), List.of());

    boolean arePinned() {
        return !cpus.isEmpty();
    }

    /** The CPUs of so many loops, one for each. */
    CpuSet cpus(int loops) {
        return CpuSet.of(cpus.stream().limit(loops).toArray());
    }
}
