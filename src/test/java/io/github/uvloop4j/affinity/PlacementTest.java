package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    private static final Map<String, CpuTopology> SHAPES = new ConcurrentHashMap<>();

    @TempDir
    static Path root;

    private static CpuTopology shape(String name) {
        return SHAPES.computeIfAbsent(name, PlacementTest::built);
    }

    private static CpuTopology built(String name) {
        var directory = root.resolve(name);
        return switch (name) {
            case "twoCpus" -> FakeMachine.twoCpus(directory).read();
            case "fourCores" -> FakeMachine.fourCores(directory).read();
            case "chiplets" -> FakeMachine.chiplets(directory).read();
            case "twoSockets" -> FakeMachine.twoSockets(directory).read();
            case "fourNodes" -> FakeMachine.fourNodes(directory).read();
            case "huge" -> FakeMachine.huge(directory).read();
            case "hole" -> FakeMachine.hole(directory).read();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String places(CpuTopology topology, String placement, String cpus, int loops) {
        return Placement.parse(placement).place(topology, CpuSet.parse(cpus), loops).stream()
                .map(set -> set.isEmpty() ? "any" : set.toString())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "twoCpus | none | 0-1 | any any",
                "twoCpus | fixed | 0-1 | 0 1",
                "twoCpus | fenced | 0-1 | 0-1 0-1",
                "twoCpus | core | 0-1 | 0 1",
                "twoCpus | cache | 0-1 | 0-1",
                "twoCpus | node | 0-1 | 0-1",
                "twoCpus | spread | 0-1 | 0 1",
                "twoCpus | pack | 0-1 | 0 1",
                "twoCpus | custom:1/0 | 0-1 | 1 0",
                // taskset -c 1
                "twoCpus | fixed | 1 | 1",
                "twoCpus | core | 1 | 1",
                "twoCpus | cache | 1 | 1",
                "twoCpus | node | 1 | 1",
                "twoCpus | spread | 1 | 1",
                "twoCpus | pack | 1 | 1",
                "fourCores | none | 0-7 | any any any any any any any any",
                "fourCores | fixed | 0-7 | 0 1 2 3 4 5 6 7",
                "fourCores | fenced | 0-1 | 0-1 0-1",
                "fourCores | core | 0-7 | 0 1 2 3",
                "fourCores | cache | 0-7 | 0-7",
                "fourCores | node | 0-7 | 0-7",
                "fourCores | spread | 0-7 | 0 1 2 3 4 5 6 7",
                "fourCores | pack | 0-7 | 0 4 1 5 2 6 3 7",
                // only CPUs 4-7
                "fourCores | none | 4-7 | any any any any",
                "fourCores | fixed | 4-7 | 4 5 6 7",
                "fourCores | fenced | 4-7 | 4-7 4-7 4-7 4-7",
                "fourCores | core | 4-7 | 4 5 6 7",
                "fourCores | cache | 4-7 | 4-7",
                "fourCores | node | 4-7 | 4-7",
                "fourCores | spread | 4-7 | 4 5 6 7",
                "fourCores | pack | 4-7 | 4 5 6 7",
                // a core whose first CPU may not be used comes where its second one is
                "fourCores | core | 1-4 | 1 2 3 4",
                "fourCores | spread | 0-1,4 | 0 1 4",
                "fourCores | pack | 1-2,6 | 2 6 1",
                "chiplets | core | 0-7 | 0 1 2 3 4 5 6 7",
                "chiplets | cache | 0-7 | 0-3 4-7",
                "chiplets | node | 0-7 | 0-7",
                "chiplets | spread | 0-7 | 0 4 1 5 2 6 3 7",
                "chiplets | pack | 0-7 | 0 1 2 3 4 5 6 7",
                "chiplets | pack | 0,3,5-7 | 5 6 7 0 3",
                "chiplets | cache | 2,5,7 | 2 5,7",
                "twoSockets | core | 0-15 | 0 1 2 3 4 5 6 7",
                "twoSockets | cache | 0-15 | 0-3,8-11 4-7,12-15",
                "twoSockets | node | 0-15 | 0-3,8-11 4-7,12-15",
                "twoSockets | spread | 0-15 | 0 4 1 5 2 6 3 7 8 12 9 13 10 14 11 15",
                "twoSockets | pack | 0-15 | 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15",
                "twoSockets | fixed | 3,6,15 | 3 6 15",
                "twoSockets | spread | 0-2,4 | 0 4 1 2",
                "twoSockets | node | 12-15 | 12-15",
                "fourNodes | core | 0-15 | 0 1 2 3 4 5 6 7",
                "fourNodes | cache | 0-15 | 0-3,8-11 4-7,12-15",
                "fourNodes | node | 0-15 | 0-1,8-9 2-3,10-11 4-5,12-13 6-7,14-15",
                "fourNodes | spread | 0-15 | 0 4 2 6 1 5 3 7 8 12 10 14 9 13 11 15",
                "fourNodes | pack | 0-15 | 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15",
                "hole | none | 0-1,4,6-7 | any any any any any",
                "hole | fixed | 0-1,4,6-7 | 0 1 4 6 7",
                "hole | fenced | 0,7 | 0,7 0,7",
                "hole | core | 0-1,4,6-7 | 0 4 6",
                "hole | cache | 0-1,4,6-7 | 0-1,4,6-7",
                "hole | node | 0-1,4,6-7 | 0-1,4,6-7",
                "hole | spread | 0-1,4,6-7 | 0 4 6 1 7",
                "hole | pack | 0-1,4,6-7 | 0 1 6 7 4",
                "huge | fixed | 1022-1025 | 1022 1023 1024 1025",
                "huge | core | 1023-1024 | 1023 1024",
                "huge | cache | 1020-1025 | 1020-1023 1024-1025",
                "huge | node | 0-1279 | 0-639 640-1279",
                "huge | spread | 600,1000,1279 | 600 1000 1279",
                "huge | pack | 600,1024,1279 | 1024 1279 600",
            })
    void asManyAsFit(String shape, String placement, String cpus, String expected) {
        assertThat(places(shape(shape), placement, cpus, 0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "twoCpus | none | 0-1 | 3 | any any any",
                "twoCpus | fenced | 0-1 | 3 | 0-1 0-1 0-1",
                "fourCores | core | 0-7 | 2 | 0 1",
                "fourCores | pack | 0-7 | 3 | 0 4 1",
                "twoSockets | spread | 0-15 | 2 | 0 4",
                "twoSockets | pack | 0-15 | 9 | 0 8 1 9 2 10 3 11 4",
                "fourNodes | spread | 0-15 | 4 | 0 4 2 6",
                "fourNodes | node | 0-15 | 1 | 0-1,8-9",
                "fourNodes | custom:0/1//2-3 | 0-15 | 3 | 0 1 any",
                "huge | spread | 0-1279 | 5 | 0 640 16 656 32",
                "huge | pack | 0-1279 | 3 | 0 1 2",
            })
    void fewerLoopsGetTheFirstPlaces(String shape, String placement, String cpus, int loops, String expected) {
        assertThat(places(shape(shape), placement, cpus, loops)).isEqualTo(expected);
    }

    @Test
    void everyCpuHasAPlaceOfItsOwnWhenSpreadOrPacked() {
        for (var placement : List.of(Placement.maxSpread(), Placement.maxPack(), Placement.fixed())) {
            var places = placement.place(shape("huge"), shape("huge").online(), 0);
            assertThat(places).hasSize(1280).doesNotHaveDuplicates().allMatch(set -> set.size() == 1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fixed | 0-1 | 3 | more loops than places: 3 loops, 2 CPUs (placement fixed, CPUs 0-1)",
                "spread | 0-1 | 3 | more loops than places: 3 loops, 2 CPUs (placement spread, CPUs 0-1)",
                "pack | 0-1 | 3 | more loops than places: 3 loops, 2 CPUs (placement pack, CPUs 0-1)",
                "core | 0-7 | 5 | more loops than places: 5 loops, 4 physical cores (placement core, CPUs 0-7)",
                "cache | 0-7 | 2 | more loops than places: 2 loops, 1 shared caches (placement cache, CPUs 0-7)",
                "node | 0-7 | 9 | more loops than places: 9 loops, 1 NUMA nodes with CPUs (placement node, CPUs 0-7)",
                "custom:0/1 | 0-7 | 3 | more loops than places: 3 loops, 2 sets (placement custom, CPUs 0-7)",
                "custom:0/6-8 | 0-5 | 0 | CPUs 6-8 of custom:0/6-8 are not among those given: 0-5",
                "fixed | 0-1 | -1 | a negative number of loops: -1",
                "fixed | '' | 1 | loops cannot be placed on an empty set of CPUs",
                "none | '' | 1 | loops cannot be placed on an empty set of CPUs",
                "fixed | 7-9 | 1 | CPUs 8-9 are not online (asked: 7-9, online: 0-7)",
                "fenced | 9 | 1 | CPUs 9 are not online (asked: 9, online: 0-7)",
            })
    void whatDoesNotFitIsRefused(String placement, String cpus, int loops, String message) {
        assertThatThrownBy(() -> places(shape("fourCores"), placement, cpus, loops))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void nodesOfMemoryOnlyHaveNoPlace() {
        var topology = FakeMachine.twoCpus(root.resolve("memory"))
                .node(1, "")
                .node(7, "")
                .read();

        assertThat(places(topology, "node", "0-1", 0)).isEqualTo("0-1");
        assertThatThrownBy(() -> places(topology, "node", "0-1", 2)).hasMessageContaining("1 NUMA nodes with CPUs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "fixed", "fenced", "core", "cache", "node", "spread", "pack", "custom:0-3,8//2"})
    void whatIsPrintedIsReadAgain(String name) {
        var placement = Placement.parse(name);

        assertThat(placement).hasToString(name);
        assertThat(Placement.parse(' ' + name)).isEqualTo(placement).hasSameHashCodeAs(placement);
    }

    @Test
    void namesAreThoseOfTheFactories() {
        assertThat(List.of(
                        Placement.unbound(),
                        Placement.fixed(),
                        Placement.fenced(),
                        Placement.perCore(),
                        Placement.perCache(),
                        Placement.perNode(),
                        Placement.maxSpread(),
                        Placement.maxPack(),
                        Placement.custom(List.of(CpuSet.of(3)))))
                .extracting(Placement::toString)
                .containsExactly("none", "fixed", "fenced", "core", "cache", "node", "spread", "pack", "custom:3");
        assertThat(Placement.parse("unbound")).isEqualTo(Placement.unbound());
        assertThat(Placement.perCore()).isNotEqualTo(Placement.perNode()).isNotEqualTo("core");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cores", "Core", "custom", "custom:x", "custom:0-"})
    void unknownNamesAreRefused(String name) {
        assertThatThrownBy(() -> Placement.parse(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unknownNameTellsTheNames() {
        assertThatThrownBy(() -> Placement.parse("scatter"))
                .hasMessage("no placement: \"scatter\" (none, fixed, fenced, core, cache, node, spread, pack,"
                        + " custom:CPUS/CPUS)");
        assertThatThrownBy(() -> Placement.custom(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Placement.parse(null)).hasMessage("text");
    }
}
