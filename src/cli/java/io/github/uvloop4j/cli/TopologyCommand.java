package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.CpuTopology;
import io.github.uvloop4j.affinity.KernelVersion;
import io.github.uvloop4j.affinity.MemoryPolicy;
import io.github.uvloop4j.cli.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topology}: which CPUs there are, how they belong together, and which of them this process may use. */
@Command(
        name = TopologyCommand.NAME,
        description =
                "Prints the CPUs, what they share, which of them this process may use, and what pinning has here.",
        mixinStandardHelpOptions = true)
final class TopologyCommand implements Callable<Integer> {
    static final String NAME = "topology";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        var fields = fields(topology(), Affinity.allowed(), Affinity.availableProcessors(), KernelVersion.current());
        if (json) {
            spec.commandLine().getOut().println(JsonWriter.pretty(fields));
        } else {
            fields.forEach(this::print);
        }
        return CommandLine.ExitCode.OK;
    }

    private static CpuTopology topology() {
        try {
            return CpuTopology.read();
        } catch (IllegalStateException e) {
            throw new CliFailure(String.valueOf(e.getMessage()));
        }
    }

    /** What is printed, under the JSON keys. */
    static Map<String, @Nullable Object> fields(
            CpuTopology topology, CpuSet allowed, int processors, KernelVersion kernel) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        fields.put("cpus_online", topology.online().toString());
        fields.put("cpus_offline", topology.offline().toString());
        fields.put("cpus_possible", topology.possible().toString());
        fields.put("cpus_allowed", allowed.toString());
        var limits = topology.limits();
        fields.put(
                "cpus_of_cpuset", limits.cpus().isEmpty() ? null : limits.cpus().toString());
        fields.put("quota_cpus", limits.quota().isPresent() ? limits.quota().getAsDouble() : null);
        fields.put("available_processors", processors);
        fields.put("default_loops", topology.loops(allowed, processors));
        fields.put(
                "nodes",
                topology.nodes().entrySet().stream()
                        .map(node -> node(node.getKey(), node.getValue()))
                        .toList());
        fields.put("sockets", texts(topology.sockets()));
        fields.put("caches", texts(topology.caches()));
        fields.put(
                "cores",
                topology.cores().stream().map(core -> core(topology, core)).toList());
        var missing = missing(kernel);
        fields.put("steering_by_incoming_cpu", !missing.containsKey("steering_by_incoming_cpu"));
        fields.put("steering_by_cbpf", !missing.containsKey("steering_by_cbpf"));
        fields.put("memory_policy", !missing.containsKey("memory_policy"));
        fields.put("missing", missing);
        return fields;
    }

    private static Map<String, Object> node(int number, CpuSet cpus) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("node", number);
        fields.put("cpus", cpus.toString());
        return fields;
    }

    private static Map<String, Object> core(CpuTopology topology, CpuSet core) {
        var fields = new LinkedHashMap<String, Object>();
        int cpu = core.first();
        fields.put("cpus", core.toString());
        fields.put("cache", topology.caches().indexOf(topology.cacheOf(cpu)));
        fields.put("socket", topology.sockets().indexOf(topology.socketOf(cpu)));
        fields.put("node", topology.nodeOf(cpu));
        return fields;
    }

    private static Map<String, Object> missing(KernelVersion kernel) {
        var missing = new LinkedHashMap<String, Object>();
        if (!kernel.isAtLeast(6, 2)) {
            missing.put("steering_by_incoming_cpu", "needs Linux 6.2 or newer, this is " + kernel);
        }
        if (!kernel.isAtLeast(4, 5)) {
            missing.put("steering_by_cbpf", "needs Linux 4.5 or newer, this is " + kernel);
        }
        if (!MemoryPolicy.isAvailable()) {
            missing.put("memory_policy", "the kernel or the container has no set_mempolicy");
        }
        return missing;
    }

    private static List<String> texts(List<CpuSet> sets) {
        return sets.stream().map(CpuSet::toString).toList();
    }

    private void print(String name, @Nullable Object value) {
        switch (value) {
            case null -> line(name, "none");
            case Map<?, ?> map -> {
                line(name, map.isEmpty() ? "nothing" : "");
                map.forEach((what, why) -> line("  " + what, String.valueOf(why)));
            }
            case List<?> list -> {
                line(name, String.valueOf(list.size()));
                list.forEach(entry -> line("", entry instanceof Map<?, ?> map ? words(map) : String.valueOf(entry)));
            }
            case Boolean available -> line(name, available ? "yes" : "no");
            default -> line(name, value.equals("") ? "none" : String.valueOf(value));
        }
    }

    private static String words(Map<?, ?> map) {
        return map.entrySet().stream()
                .map(entry -> entry.getKey() + " " + (entry.getValue().equals("") ? "none" : entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private void line(String name, String value) {
        var head = String.format(Locale.ROOT, "%-26s", name.replace('_', ' '));
        spec.commandLine().getOut().println((head + " " + value).stripTrailing());
    }
}
