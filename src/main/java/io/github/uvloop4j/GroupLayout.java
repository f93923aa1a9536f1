package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.util.JsonText;
import java.util.List;
import java.util.Locale;

/**
 * Where the loops of a group run.
 *
 * @param loops one for each loop, in their order
 */
public record GroupLayout(List<Place> loops) {
    /**
     * Where one loop runs.
     *
     * @param loop its index
     * @param name its name, which its thread carries
     * @param cpus the CPUs that it is pinned to; empty when it is not
     * @param node the NUMA node of its CPUs; -1 when it is not pinned, or to CPUs of several nodes
     * @param threadId the kernel's number of its thread
     * @param localPages which share of the pages of its receive buffer is on its node, 0 to 1; NaN when it has received
     *     nothing yet, has no node, or the kernel does not tell
     */
    public record Place(int loop, String name, CpuSet cpus, int node, long threadId, double localPages) {}

    /** Copies the list. */
    public GroupLayout {
        loops = List.copyOf(loops);
    }

    static GroupLayout of(EventLoopGroup group) {
        return new GroupLayout(
                group.members().stream().map(member -> place(group, member)).toList());
    }

    private static Place place(EventLoopGroup group, GroupLoop member) {
        int index = member.index();
        int node = group.plan().node(index);
        var loop = group.loop(index);
        return new Place(
                index,
                loop.options().name(),
                member.pinning().cpus(),
                node,
                member.threadId(),
                node < 0 ? Double.NaN : loop.localPages(node));
    }

    /** The layout as JSON, on one line: {@code {"loops":[{"loop":0,"name":…,"cpus":…,"node":…,"thread_id":…}]}}. */
    public String toJson() {
        var json = new JsonText().open('{').key("loops").open('[');
        for (var place : loops) {
            json.open('{').key("loop").value(place.loop).key("name").value(place.name);
            json.key("cpus").value(place.cpus.toString());
            json.key("node").value(place.node).key("thread_id").value(place.threadId);
            if (!Double.isNaN(place.localPages)) {
                json.key("local_pages_percent").value(Math.round(100 * place.localPages));
            }
            json.close('}');
        }
        return json.close(']').close('}').toString();
    }

    /** The layout as a table. */
    @Override
    public String toString() {
        var text =
                new StringBuilder(String.format(Locale.ROOT, "%-5s %-20s %-5s %8s", "loop", "cpus", "node", "thread"));
        for (var place : loops) {
            var cpus = place.cpus.isEmpty() ? "any" : place.cpus.toString();
            var node = place.node < 0 ? "-" : String.valueOf(place.node);
            text.append(String.format(Locale.ROOT, "%n%-5d %-20s %-5s %8d", place.loop, cpus, node, place.threadId));
        }
        return text.toString();
    }
}
