package io.github.uvloop4j;

import io.github.uvloop4j.affinity.ThreadUsage;
import io.github.uvloop4j.concurrent.LoopStatistics;
import java.util.Collection;
import java.util.List;

/**
 * What the loops of a group have done so far, and do: each by itself, and together.
 *
 * @param loops one for each loop, in their order
 */
public record GroupStatistics(List<OfLoop> loops) {
    /**
     * What one loop has done.
     *
     * @param loop its index
     * @param name its name
     * @param accepted how many connections the group's open servers have given it
     * @param connections how many of them are open
     * @param work what it has done, and how long that took
     * @param usage what the kernel has counted for its thread
     */
    public record OfLoop(
            int loop, String name, long accepted, int connections, LoopStatistics work, ThreadUsage usage) {}

    /** Copies the list. */
    public GroupStatistics {
        loops = List.copyOf(loops);
    }

    static GroupStatistics of(EventLoopGroup group, Collection<GroupServer> servers) {
        return new GroupStatistics(group.members().stream()
                .map(member -> of(group, member, servers))
                .toList());
    }

    private static OfLoop of(EventLoopGroup group, GroupLoop member, Collection<GroupServer> servers) {
        int index = member.index();
        var loop = group.loop(index);
        long accepted = 0;
        int connections = 0;
        for (var server : servers) {
            accepted += server.acceptedCount(index);
            connections += server.clientCount(index);
        }
        return new OfLoop(
                index,
                loop.options().name(),
                accepted,
                connections,
                loop.statistics(),
                ThreadUsage.of(member.threadId()));
    }

    /** How many connections the group's open servers have got. */
    public long accepted() {
        return loops.stream().mapToLong(OfLoop::accepted).sum();
    }

    /** How many connections are open. */
    public int connections() {
        return loops.stream().mapToInt(OfLoop::connections).sum();
    }

    /** How many tasks have not ended. */
    public int tasks() {
        return loops.stream().mapToInt(loop -> loop.work.tasks()).sum();
    }

    /** What all loops have done together. */
    public LoopStatistics work() {
        return loops.stream().map(OfLoop::work).reduce(LoopStatistics::plus).orElseThrow();
    }

    /**
     * How unevenly connections have come: those of the loop that has got most, over the mean. 1 is even, the number of
     * loops is the worst; 1 when there were none.
     */
    public double imbalance() {
        long most = loops.stream().mapToLong(OfLoop::accepted).max().orElse(0);
        long all = accepted();
        return all == 0 ? 1 : (double) most * loops.size() / all;
    }
}
