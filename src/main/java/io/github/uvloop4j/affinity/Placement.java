package io.github.uvloop4j.affinity;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which CPUs each of several loops gets. Two placements of the same name are equal. Immutable. Any thread.
 *
 * <p>Loops get their places in a fixed order, so that fewer loops get the first places of more loops. Only the CPUs given
 * are used; a core, cache or node none of whose CPUs is given has no place.
 */
public final class Placement {
    private static final String CUSTOM = "custom:";

    private enum Kind {
        UNBOUND("none", "loops"),
        FIXED("fixed", "CPUs"),
        FENCED("fenced", "loops"),
        CORE("core", "physical cores"),
        CACHE("cache", "shared caches"),
        NODE("node", "NUMA nodes with CPUs"),
        SPREAD("spread", "CPUs"),
        PACK("pack", "CPUs"),
        CUSTOM("custom", "sets");

        private final String word;
        private final String places;

        Kind(String word, String places) {
            this.word = word;
            this.places = places;
        }
    }

    private final Kind kind;
    private final List<CpuSet> sets;

    private Placement(Kind kind, List<CpuSet> sets) {
        this.kind = kind;
        this.sets = sets;
    }

    private static Placement of(Kind kind) {
        return new Placement(kind, List.of());
    }

    /** {@code none}: no loop is bound to any CPU; each gets the empty set. Any number of loops, by default one a CPU. */
    public static Placement unbound() {
        return of(Kind.UNBOUND);
    }

    /** {@code fixed}: the first loop on the lowest CPU given, the second on the next. */
    public static Placement fixed() {
        return of(Kind.FIXED);
    }

    /** {@code fenced}: each loop may use all of the CPUs given. Any number of loops, by default one a CPU. */
    public static Placement fenced() {
        return of(Kind.FENCED);
    }

    /** {@code core}: a loop on the first CPU given of each physical core, by the number of that CPU. */
    public static Placement perCore() {
        return of(Kind.CORE);
    }

    /** {@code cache}: a loop on all CPUs given that share a last-level cache, by the lowest of them. */
    public static Placement perCache() {
        return of(Kind.CACHE);
    }

    /** {@code node}: a loop on all CPUs given of each NUMA node, by the node's number. */
    public static Placement perNode() {
        return of(Kind.NODE);
    }

    /**
     * {@code spread}: a loop a CPU, as far apart as can be. The sockets take turns, in a socket its nodes, in a node its
     * caches, in a cache its cores; when every core has a loop, the second CPUs of the cores follow in the same way.
     */
    public static Placement maxSpread() {
        return of(Kind.SPREAD);
    }

    /**
     * {@code pack}: a loop a CPU, as close together as can be. A core is filled before the next one of its cache, a cache
     * before the next one of its node, then the node and the socket. Of several, that with most of the CPUs given comes
     * first, then that with the lowest.
     */
    public static Placement maxPack() {
        return of(Kind.PACK);
    }

    /**
     * {@code custom:0-1/2}: the first loop on the first set, and so on. A loop with an empty set is not bound.
     *
     * @param sets at least one
     */
    public static Placement custom(List<CpuSet> sets) {
        var copy = List.copyOf(sets);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("a custom placement needs a set of CPUs for each loop");
        }
        return new Placement(Kind.CUSTOM, copy);
    }

    /**
     * Reads a placement's name as {@link #toString} gives it; {@code unbound} is another word for {@code none}.
     *
     * @throws IllegalArgumentException which tells the names
     */
    public static Placement parse(String text) {
        var name = Objects.requireNonNull(text, "text").strip();
        if (name.startsWith(CUSTOM)) {
            return custom(Arrays.stream(name.substring(CUSTOM.length()).split("/", -1))
                    .map(CpuSet::parse)
                    .toList());
        }
        if (name.equals("unbound")) {
            return unbound();
        }
        return Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.CUSTOM && kind.word.equals(name))
                .findFirst()
                .map(Placement::of)
                .orElseThrow(() -> new IllegalArgumentException("no placement: \"" + name + "\" ("
                        + Arrays.stream(Kind.values()).map(kind -> kind.word).collect(Collectors.joining(", "))
                        + ":CPUS/CPUS)"));
    }

    /**
     * Places loops.
     *
     * @param cpus the CPUs to use, usually those that this process may use; all of them online unless the loops are
     *     unbound
     * @param loops how many; 0 is as many as there are places
     * @return the CPUs of each loop
     * @throws IllegalArgumentException if no CPU is given, one is not online, a custom set holds one that is not given,
     *     or there are more loops than places
     */
    public List<CpuSet> place(CpuTopology topology, CpuSet cpus, int loops) {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("loops cannot be placed on an empty set of CPUs");
        }
        if (loops < 0) {
            throw new IllegalArgumentException("a negative number of loops: " + loops);
        }
        if (kind == Kind.UNBOUND) {
            return Collections.nCopies(loops == 0 ? cpus.size() : loops, CpuSet.empty());
        }
        var unknown = cpus.minus(topology.online());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "CPUs " + unknown + " are not online (asked: " + cpus + ", online: " + topology.online() + ')');
        }
        if (kind == Kind.FENCED) {
            return Collections.nCopies(loops == 0 ? cpus.size() : loops, cpus);
        }
        var places = places(topology, cpus);
        if (loops > places.size()) {
            throw new IllegalArgumentException("more loops than places: " + loops + " loops, " + places.size() + ' '
                    + kind.places + " (placement " + kind.word + ", CPUs " + cpus + ')');
        }
        return List.copyOf(loops == 0 ? places : places.subList(0, loops));
    }

    private List<CpuSet> places(CpuTopology topology, CpuSet cpus) {
        return switch (kind) {
            case CORE ->
                given(topology.cores().stream(), cpus)
                        .map(core -> CpuSet.of(core.first()))
                        .sorted(Comparator.comparingInt(CpuSet::first))
                        .toList();
            case CACHE ->
                given(topology.caches().stream(), cpus)
                        .sorted(Comparator.comparingInt(CpuSet::first))
                        .toList();
            case NODE -> given(topology.nodes().values().stream(), cpus).toList();
            case SPREAD -> each(new CpuOrder(topology).spread(cpus).stream());
            case PACK -> each(new CpuOrder(topology).packed(cpus).stream());
            case CUSTOM -> checkedSets(cpus);
            case FIXED, FENCED, UNBOUND -> each(cpus.stream().boxed());
        };
    }

    private static Stream<CpuSet> given(Stream<CpuSet> groups, CpuSet cpus) {
        return groups.map(cpus::intersect).filter(group -> !group.isEmpty());
    }

    private static List<CpuSet> each(Stream<Integer> cpus) {
        return cpus.map(cpu -> CpuSet.of(cpu)).toList();
    }

    private List<CpuSet> checkedSets(CpuSet cpus) {
        var others = sets.stream().reduce(CpuSet.empty(), CpuSet::union).minus(cpus);
        if (!others.isEmpty()) {
            throw new IllegalArgumentException(
                    "CPUs " + others + " of " + this + " are not among those given: " + cpus);
        }
        return sets;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement placement && kind == placement.kind && sets.equals(placement.sets);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, sets);
    }

    /** The name, which {@link #parse} reads. */
    @Override
    public String toString() {
        return kind == Kind.CUSTOM
                ? CUSTOM + sets.stream().map(CpuSet::toString).collect(Collectors.joining("/"))
                : kind.word;
    }
}
