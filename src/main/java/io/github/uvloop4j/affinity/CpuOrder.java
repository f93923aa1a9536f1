package io.github.uvloop4j.affinity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Orders CPUs by their distance: through sockets, nodes, caches and cores. Any thread. */
final class CpuOrder {
    private final List<List<CpuSet>> levels;
    private final List<CpuSet> cores;

    CpuOrder(CpuTopology topology) {
        cores = topology.cores();
        levels = List.of(
                topology.sockets(), List.copyOf(topology.nodes().values()), topology.caches(), topology.cores());
    }

    private static Stream<CpuSet> groups(List<CpuSet> level, CpuSet cpus) {
        return level.stream().map(cpus::intersect).filter(group -> !group.isEmpty());
    }

    /** Each CPU as close as can be to those before it. */
    List<Integer> packed(CpuSet cpus) {
        return packed(cpus, 0);
    }

    private List<Integer> packed(CpuSet cpus, int level) {
        if (level == levels.size()) {
            return cpus.stream().boxed().toList();
        }
        return groups(levels.get(level), cpus)
                .sorted(Comparator.comparingInt(CpuSet::size).reversed())
                .flatMap(group -> packed(group, level + 1).stream())
                .toList();
    }

    /** Each CPU as far as can be from those before it; a core's second CPU after the first ones of all cores. */
    List<Integer> spread(CpuSet cpus) {
        var order = new ArrayList<Integer>();
        for (var rest = cpus; !rest.isEmpty(); ) {
            var firsts = CpuSet.of(groups(cores, rest).mapToInt(CpuSet::first).toArray());
            order.addAll(spread(firsts, 0));
            rest = rest.minus(firsts);
        }
        return order;
    }

    private List<Integer> spread(CpuSet cpus, int level) {
        if (level == levels.size()) {
            return cpus.stream().boxed().toList();
        }
        var lanes = groups(levels.get(level), cpus)
                .map(group -> spread(group, level + 1))
                .toList();
        var order = new ArrayList<Integer>();
        for (int turn = 0; order.size() < cpus.size(); turn++) {
            for (var lane : lanes) {
                if (turn < lane.size()) {
                    order.add(lane.get(turn));
                }
            }
        }
        return order;
    }
}
