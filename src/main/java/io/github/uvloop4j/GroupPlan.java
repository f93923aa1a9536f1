package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CgroupLimits;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.CpuTopology;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.affinity.Placement;
import io.github.uvloop4j.carrier.LoopLog;
import java.util.HashSet;
import java.util.List;

/**
 * Which loop of a group gets which CPUs.
 *
 * @param topology the machine
 * @param pinnings one for each loop
 */
record GroupPlan(CpuTopology topology, List<Pinning> pinnings) {
    static GroupPlan of(GroupOptions options) {
        var allowed = Affinity.allowed();
        return of(options, topology(allowed), allowed, Affinity.availableProcessors());
    }

    /** A container may hide what the machine is like. */
    private static CpuTopology topology(CpuSet allowed) {
        try {
            return CpuTopology.read();
        } catch (IllegalStateException hidden) {
            return CpuTopology.flat(allowed, CgroupLimits.read());
        }
    }

    static GroupPlan of(GroupOptions options, CpuTopology topology, CpuSet allowed, int processors) {
        var cpus = options.cpus().isEmpty() ? allowed : options.cpus();
        var placement = options.placement();
        if (isUnbound(placement) && !options.cpus().isEmpty()) {
            // Whoever names CPUs wants them used.
            placement = Placement.fenced();
        }
        if (!isUnbound(placement)) {
            cpus = usable(options, cpus, allowed);
        }
        if (cpus.isEmpty()) {
            placement = Placement.unbound();
            cpus = allowed;
        }
        int loops = options.loops();
        if (loops == 0 && (isUnbound(placement) || placement.equals(Placement.fenced()))) {
            loops = topology.loops(cpus, processors);
        }
        var pinnings = placement.place(topology, cpus, loops).stream()
                .map(set -> new Pinning(set, options.required(), options.localMemory()))
                .toList();
        return new GroupPlan(topology, pinnings);
    }

    private static boolean isUnbound(Placement placement) {
        return placement.equals(Placement.unbound());
    }

    /** The CPUs that may be used; others are an error where pinning is required, and left out where it is not. */
    private static CpuSet usable(GroupOptions options, CpuSet cpus, CpuSet allowed) {
        if (options.required()) {
            Affinity.checkAllowed(cpus);
            return cpus;
        }
        var dropped = cpus.minus(allowed);
        if (!dropped.isEmpty()) {
            LoopLog.warn(
                    "group " + options.loop().name() + " does without CPUs " + dropped + ": only " + allowed
                            + " may be used",
                    null);
        }
        return cpus.intersect(allowed);
    }

    CpuSet cpus(int index) {
        return pinnings.get(index).cpus();
    }

    /** Whether each loop has CPUs that no other one has. */
    boolean isDisjoint() {
        var seen = CpuSet.empty();
        for (var pinning : pinnings) {
            if (pinning.cpus().isEmpty() || !seen.intersect(pinning.cpus()).isEmpty()) {
                return false;
            }
            seen = seen.union(pinning.cpus());
        }
        return true;
    }

    /** Whether each loop has one CPU, which no other one has. */
    boolean isOneEach() {
        return isDisjoint()
                && pinnings.stream().allMatch(pinning -> pinning.cpus().size() == 1);
    }

    /** The NUMA node of a loop; -1 when it is not pinned, or to CPUs of several nodes. */
    int node(int index) {
        var nodes = new HashSet<Integer>();
        cpus(index).stream().map(topology::nodeOf).forEach(nodes::add);
        return nodes.size() == 1 ? nodes.iterator().next() : -1;
    }
}
