package io.github.uvloop4j.affinity;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * How the CPUs of this machine belong together, as Linux describes it below {@code /sys}, and what the control groups
 * leave this process. Each online CPU is in exactly one core, one cache, one socket and one node; CPUs that are offline
 * are in none, since the kernel does not tell of them. A picture of the moment it was read. Immutable. Any thread.
 *
 * <p>Containers and virtual machines leave out parts of the description. Without the caches, those of a die or a socket
 * are taken to share one; without the nodes, all CPUs are of node 0; a CPU of which nothing is said is a core, a cache
 * and a socket of its own.
 */
public final class CpuTopology {
    private final CpuSet online;
    private final CpuSet present;
    private final CpuSet possible;
    private final List<CpuSet> cores;
    private final List<CpuSet> caches;
    private final List<CpuSet> sockets;
    private final SortedMap<Integer, CpuSet> nodes;
    private final CgroupLimits limits;

    private CpuTopology(Path root) {
        var directory = root.resolve("sys/devices/system/cpu");
        var entries = CpuSet.of(KernelFiles.numbered(directory, "cpu").toArray());
        var listed = KernelFiles.cpus(directory.resolve("online"));
        online = listed.isEmpty() ? switchedOn(directory, entries) : listed;
        if (online.isEmpty()) {
            throw new IllegalStateException("no CPU is described in " + directory);
        }
        present = online.union(entries).union(KernelFiles.cpus(directory.resolve("present")));
        possible = present.union(KernelFiles.cpus(directory.resolve("possible")));
        IntFunction<Path> entry = cpu -> directory.resolve("cpu" + cpu);
        cores = partition(cpu -> first(entry.apply(cpu), "topology/core_cpus_list", "topology/thread_siblings_list"));
        sockets =
                partition(cpu -> first(entry.apply(cpu), "topology/package_cpus_list", "topology/core_siblings_list"));
        caches = partition(cpu -> {
            var sharing = lastCache(entry.apply(cpu).resolve("cache"));
            var die = sharing.isEmpty() ? first(entry.apply(cpu), "topology/die_cpus_list") : sharing;
            return die.isEmpty() ? holder(sockets, cpu) : die;
        });
        nodes = Collections.unmodifiableSortedMap(nodes(root.resolve("sys/devices/system/node")));
        limits = CgroupLimits.read(root);
    }

    private CpuTopology(CpuSet online, CgroupLimits limits) {
        this.online = online;
        present = online;
        possible = online;
        cores = partition(CpuSet::of);
        caches = cores;
        sockets = cores;
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(0, online)));
        this.limits = limits;
    }

    /**
     * A topology of CPUs of which nothing else is known, for where {@link #read()} finds no description: each is a core,
     * a cache and a socket of its own, and all are of node 0.
     *
     * @throws IllegalArgumentException if there is no CPU
     */
    public static CpuTopology flat(CpuSet online, CgroupLimits limits) {
        if (online.isEmpty()) {
            throw new IllegalArgumentException("a topology without CPUs");
        }
        return new CpuTopology(online, limits);
    }

    /**
     * Reads the topology of this machine. Takes a few milliseconds.
     *
     * @throws IllegalStateException when not even one CPU is described, naming the directory
     */
    public static CpuTopology read() {
        return read(Path.of("/"));
    }

    /**
     * Reads a topology below another directory than {@code /}. Throws as {@link #read()} does.
     *
     * @param root holds {@code sys/devices/system}, and what {@link CgroupLimits#read(Path)} reads
     */
    public static CpuTopology read(Path root) {
        return new CpuTopology(root);
    }

    private static CpuSet switchedOn(Path directory, CpuSet cpus) {
        return CpuSet.of(cpus.stream()
                .filter(cpu -> !KernelFiles.text(directory.resolve("cpu" + cpu).resolve("online"))
                        .equals("0"))
                .toArray());
    }

    private static CpuSet first(Path directory, String... names) {
        for (var name : names) {
            var cpus = KernelFiles.cpus(KernelFiles.below(directory, name));
            if (!cpus.isEmpty()) {
                return cpus;
            }
        }
        return CpuSet.empty();
    }

    private static CpuSet lastCache(Path directory) {
        return KernelFiles.numbered(directory, "index")
                .mapToObj(index -> directory.resolve("index" + index))
                .filter(index -> !KernelFiles.text(index.resolve("type")).equals("Instruction"))
                .max(Comparator.comparingLong(
                        index -> KernelFiles.number(index.resolve("level")).orElse(0)))
                .map(index -> KernelFiles.cpus(index.resolve("shared_cpu_list")))
                .orElse(CpuSet.empty());
    }

    /** The online CPUs in groups, whatever the kernel's lists say: none is left out and none is in two. */
    private List<CpuSet> partition(IntFunction<CpuSet> group) {
        var groups = new ArrayList<CpuSet>();
        for (var rest = online; !rest.isEmpty(); rest = rest.minus(groups.getLast())) {
            int cpu = rest.first();
            groups.add(group.apply(cpu).intersect(rest).union(CpuSet.of(cpu)));
        }
        return List.copyOf(groups);
    }

    private SortedMap<Integer, CpuSet> nodes(Path directory) {
        var result = new TreeMap<Integer, CpuSet>();
        var rest = online;
        for (int node : KernelFiles.numbered(directory, "node").toArray()) {
            var cpus = KernelFiles.cpus(directory.resolve("node" + node).resolve("cpulist"))
                    .intersect(rest);
            result.put(node, cpus);
            rest = rest.minus(cpus);
        }
        if (!rest.isEmpty()) {
            result.merge(0, rest, CpuSet::union);
        }
        return result;
    }

    /** The CPUs that the kernel runs threads on; at least one. */
    public CpuSet online() {
        return online;
    }

    /** The CPUs that are plugged in but not online. */
    public CpuSet offline() {
        return present.minus(online);
    }

    /** The CPUs that may ever be there, plugged in or not: often more than {@link #online} and {@link #offline}. */
    public CpuSet possible() {
        return possible;
    }

    /** The physical cores, each with its SMT siblings, by their lowest CPU. */
    public List<CpuSet> cores() {
        return cores;
    }

    /** The CPUs that share a last-level cache, by their lowest CPU. */
    public List<CpuSet> caches() {
        return caches;
    }

    /** The sockets (packages), by their lowest CPU. */
    public List<CpuSet> sockets() {
        return sockets;
    }

    /** The NUMA nodes, number and CPUs; a node of memory only has no CPUs. Not to be changed. */
    public SortedMap<Integer, CpuSet> nodes() {
        return nodes;
    }

    /** What the control groups leave this process. */
    public CgroupLimits limits() {
        return limits;
    }

    /**
     * The core of a CPU: itself and its SMT siblings.
     *
     * @throws IllegalArgumentException if the CPU is not online
     */
    public CpuSet coreOf(int cpu) {
        return holder(cores, checked(cpu));
    }

    /** The CPUs that share the last-level cache of a CPU, itself among them. Throws as {@link #coreOf} does. */
    public CpuSet cacheOf(int cpu) {
        return holder(caches, checked(cpu));
    }

    /** The CPUs of a CPU's socket, itself among them. Throws as {@link #coreOf} does. */
    public CpuSet socketOf(int cpu) {
        return holder(sockets, checked(cpu));
    }

    /** The number of a CPU's NUMA node. Throws as {@link #coreOf} does. */
    public int nodeOf(int cpu) {
        checked(cpu);
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().contains(cpu))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private int checked(int cpu) {
        if (!online.contains(cpu)) {
            throw new IllegalArgumentException("CPU " + cpu + " is not online (online: " + online + ')');
        }
        return cpu;
    }

    private static CpuSet holder(List<CpuSet> groups, int cpu) {
        return groups.stream().filter(group -> group.contains(cpu)).findFirst().orElseThrow();
    }

    /**
     * How many loops to start where nobody says: as many as there are CPUs allowed, yet no more than the quota of the
     * control groups, rounded up, and than the JVM counts on; at least 1.
     *
     * @param allowed the CPUs that this process may use
     * @param processors what {@link Runtime#availableProcessors} says
     */
    public int loops(CpuSet allowed, int processors) {
        int count = Math.min(allowed.size(), processors);
        double quota = Math.ceil(limits.quota().orElse(count));
        return Math.max(1, (int) Math.min(count, quota));
    }

    /** What there is, in numbers. */
    @Override
    public String toString() {
        return "CPUs " + online + ", " + sockets.size() + " sockets, " + nodes.size() + " nodes, " + caches.size()
                + " caches, " + cores.size() + " cores";
    }
}
