package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuTopologyTest {
    private static final String CPU = "sys/devices/system/cpu/";

    @TempDir
    Path root;

    private static List<CpuSet> sets(String... lists) {
        return Stream.of(lists).map(CpuSet::parse).toList();
    }

    @Test
    void twoCpus() {
        var topology = FakeMachine.twoCpus(root).read();

        assertThat(topology.online()).hasToString("0-1");
        assertThat(topology.offline()).isEqualTo(CpuSet.empty());
        assertThat(topology.cores()).isEqualTo(sets("0", "1"));
        assertThat(topology.caches()).isEqualTo(sets("0-1"));
        assertThat(topology.sockets()).isEqualTo(sets("0-1"));
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(0, 1)));
        assertThat(topology.limits()).isEqualTo(CgroupLimits.NONE);
        assertThat(topology).hasToString("CPUs 0-1, 1 sockets, 1 nodes, 1 caches, 2 cores");
    }

    @Test
    void siblingsShareACore() {
        var topology = FakeMachine.fourCores(root).read();

        assertThat(topology.cores()).isEqualTo(sets("0,4", "1,5", "2,6", "3,7"));
        assertThat(topology.coreOf(6)).hasToString("2,6");
        assertThat(topology.cacheOf(6)).hasToString("0-7");
    }

    @Test
    void socketsAndNodes() {
        var topology = FakeMachine.fourNodes(root).read();

        assertThat(topology.sockets()).isEqualTo(sets("0-3,8-11", "4-7,12-15"));
        assertThat(topology.caches()).isEqualTo(topology.sockets());
        assertThat(topology.nodes().keySet()).containsExactly(0, 1, 2, 3);
        assertThat(topology.nodes().values())
                .containsExactlyElementsOf(sets("0-1,8-9", "2-3,10-11", "4-5,12-13", "6-7,14-15"));
        assertThat(topology.nodeOf(13)).isEqualTo(2);
        assertThat(topology.socketOf(13)).hasToString("4-7,12-15");
    }

    @Test
    void moreThanAThousandCpus() {
        var topology = FakeMachine.huge(root).read();

        assertThat(topology.online()).hasToString("0-1279");
        assertThat(topology.cores()).hasSize(1280);
        assertThat(topology.caches()).hasSize(80).endsWith(CpuSet.range(1264, 1279));
        assertThat(topology.sockets()).isEqualTo(sets("0-639", "640-1279"));
        assertThat(topology.nodeOf(1200)).isEqualTo(1);
    }

    @Test
    void offlineCpusAreInNoGroup() {
        var topology = FakeMachine.hole(root).read();

        assertThat(topology.online()).hasToString("0-1,4,6-7");
        assertThat(topology.offline()).hasToString("2-3,5");
        assertThat(topology.cores()).isEqualTo(sets("0-1", "4", "6-7"));
        assertThatThrownBy(() -> topology.coreOf(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("CPU 5 is not online (online: 0-1,4,6-7)");
        assertThatThrownBy(() -> topology.nodeOf(2)).hasMessageContaining("CPU 2");
    }

    /** AF3. */
    @Test
    void cpuThatGoesOfflineIsGoneWhenReadAgain() {
        var machine = FakeMachine.fourCores(root);
        var before = machine.read();
        var after = machine.cpus("0-6", "7").read();

        assertThat(before.coreOf(3)).hasToString("3,7");
        assertThat(after.coreOf(3)).hasToString("3");
        assertThat(after.offline()).hasToString("7");
        assertThatThrownBy(() -> Placement.fixed().place(after, before.online(), 1))
                .hasMessage("CPUs 7 are not online (asked: 0-7, online: 0-6)");
    }

    @Test
    void offlineCpusInTheListsOfOthersDoNotCount() {
        var topology = new FakeMachine(root)
                .cpus("0,2", "1,3")
                .core("0-1")
                .core("2-3")
                .socket("0-3")
                .node(0, "0-3")
                .read();

        assertThat(topology.cores()).isEqualTo(sets("0", "2"));
        assertThat(topology.sockets()).isEqualTo(sets("0,2"));
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.of(0, 2)));
    }

    @Test
    void possibleMayBeMoreThanPresent() {
        var topology = FakeMachine.twoCpus(root).file(CPU + "possible", "0-127").read();

        assertThat(topology.possible()).hasToString("0-127");
        assertThat(topology.offline()).isEqualTo(CpuSet.empty());
    }

    @Test
    void nodesOfMemoryOnlyHaveNoCpus() {
        var topology = FakeMachine.twoCpus(root).node(1, "").node(7, "").read();

        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(0, 1), 1, CpuSet.empty(), 7, CpuSet.empty()));
        assertThat(topology.nodeOf(1)).isZero();
    }

    @Test
    void cpusWithoutANodeAreOfNodeZero() {
        var topology = new FakeMachine(root).cpus("0-3", "").node(1, "2-3").read();

        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(0, 1), 1, CpuSet.range(2, 3)));
    }

    @Test
    void cachesThatAreNotDescribedAreThoseOfDiesOrSockets() {
        var dies = new FakeMachine(root.resolve("dies"))
                .cpus("0-7", "")
                .socket("0-7")
                .topology("die_cpus_list", "0-3")
                .topology("die_cpus_list", "4-7");
        var sockets = new FakeMachine(root.resolve("sockets"))
                .cpus("0-7", "")
                .socket("0-3")
                .socket("4-7");

        assertThat(dies.read().caches()).isEqualTo(sets("0-3", "4-7"));
        assertThat(sockets.read().caches()).isEqualTo(sets("0-3", "4-7"));
    }

    @Test
    void highestCacheThatHoldsDataIsTheLast() {
        var machine = new FakeMachine(root).cpus("0-3", "").socket("0-3");
        for (int cpu = 0; cpu < 4; cpu++) {
            machine.cache(cpu, 10, "Unified", 2, cpu < 2 ? "0-1" : "2-3")
                    .cache(cpu, 2, "Instruction", 3, "0-3")
                    .cache(cpu, 0, "Data", 1, String.valueOf(cpu));
        }

        assertThat(machine.read().caches()).isEqualTo(sets("0-1", "2-3"));
    }

    @Test
    void namesOfOldKernelsAreReadAsWell() {
        var topology = new FakeMachine(root)
                .cpus("0-3", "")
                .topology("thread_siblings_list", "0-1")
                .topology("thread_siblings_list", "2-3")
                .topology("core_siblings_list", "0-3")
                .read();

        assertThat(topology.cores()).isEqualTo(sets("0-1", "2-3"));
        assertThat(topology.sockets()).isEqualTo(sets("0-3"));
    }

    @Test
    void cpusOfWhichNothingIsSaidAreOnTheirOwn() {
        var topology = new FakeMachine(root).file(CPU + "online", "4-5").read();

        assertThat(topology.cores()).isEqualTo(sets("4", "5"));
        assertThat(topology.caches()).isEqualTo(sets("4", "5"));
        assertThat(topology.sockets()).isEqualTo(sets("4", "5"));
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(4, 5)));
    }

    @Test
    void withoutTheListTheDirectoriesCount() {
        var topology = new FakeMachine(root)
                .core("0")
                .core("2")
                .file(CPU + "cpu1/online", "0")
                .file(CPU + "cpu2/online", "1")
                .directory(CPU + "cpufreq")
                .directory(CPU + "cpu3x")
                .directory(CPU + "cpu99999999999")
                .read();

        assertThat(topology.online()).hasToString("0,2");
        assertThat(topology.offline()).hasToString("1");
    }

    @ParameterizedTest
    @CsvSource({"online", "present", "possible", "cpu0/topology/core_cpus_list"})
    void malformedFilesCountAsAbsent(String file) {
        var topology = FakeMachine.twoCpus(root)
                .file(CPU + file, "0-70000,?")
                .file(CPU + "cpu0/cache/index2/level", "three")
                .file(CPU + "cpu0/cache/index2/shared_cpu_list", "-")
                .file("sys/devices/system/node/node0/cpulist", "many")
                .directory(CPU + "cpu0/topology/die_cpus_list")
                .read();

        assertThat(topology.online()).hasToString("0-1");
        assertThat(topology.cores()).isEqualTo(sets("0", "1"));
        assertThat(topology.sockets()).isEqualTo(sets("0-1"));
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(0, 1)));
    }

    @Test
    void listsThatContradictEachOtherStillMakeGroups() {
        var topology = FakeMachine.twoCpus(root)
                .file(CPU + "cpu0/topology/core_cpus_list", "0-1")
                .file(CPU + "cpu1/topology/core_cpus_list", "1")
                .file(CPU + "cpu0/topology/package_cpus_list", "1")
                .node(1, "1")
                .read();

        assertThat(topology.cores()).isEqualTo(sets("0-1"));
        assertThat(topology.sockets()).isEqualTo(sets("0-1"));
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.range(0, 1), 1, CpuSet.empty()));
    }

    @Test
    void machineWithoutACpuIsRefused() {
        assertThatThrownBy(() -> CpuTopology.read(root))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sys/devices/system/cpu");
    }

    @Test
    void cpusAloneMakeAFlatTopology() {
        var limits = new CgroupLimits(CpuSet.empty(), OptionalDouble.of(0.5));
        var topology = CpuTopology.flat(CpuSet.of(2, 5), limits);

        assertThat(topology.cores()).isEqualTo(sets("2", "5"));
        assertThat(topology.cacheOf(5)).hasToString("5");
        assertThat(topology.nodes()).isEqualTo(Map.of(0, CpuSet.of(2, 5)));
        assertThat(topology.loops(CpuSet.of(2, 5), 2)).isEqualTo(1);
        assertThat(Placement.maxSpread().place(topology, CpuSet.of(2, 5), 0)).isEqualTo(sets("2", "5"));
        assertThatThrownBy(() -> CpuTopology.flat(CpuSet.empty(), limits)).isInstanceOf(IllegalArgumentException.class);
    }

    /** AF9. */
    @ParameterizedTest
    @CsvSource({
        "0-7, 8, , 8",
        "0-7, 2, , 2",
        "4-5, 8, , 2",
        "0-7, 8, 150000 100000, 2",
        "0-7, 8, 10000 100000, 1",
        "0-7, 8, max 100000, 8",
        "0-7, 8, 9900000 100000, 8",
        "'', 8, , 1",
        "0-7, 0, , 1"
    })
    void loopsByDefaultAreWhatAllAgreeOn(String allowed, int processors, String max, int loops) {
        var machine = FakeMachine.fourCores(root);
        if (max != null) {
            machine.file("proc/self/cgroup", "0::/")
                    .file("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw")
                    .file("sys/fs/cgroup/cpu.max", max);
        }

        assertThat(machine.read().loops(CpuSet.parse(allowed), processors)).isEqualTo(loops);
    }

    @Test
    void thisMachine() throws IOException {
        assumeThat(Path.of("/sys/devices/system/cpu")).as("sysfs").isDirectory();
        var topology = CpuTopology.read();

        var allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> CpuSet.parse(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
        assertThat(topology.online().containsAll(allowed)).isTrue();
        assertThat(topology.possible().containsAll(topology.online())).isTrue();
        for (var groups : List.of(
                topology.cores(),
                topology.caches(),
                topology.sockets(),
                List.copyOf(topology.nodes().values()))) {
            assertThat(groups.stream().mapToInt(CpuSet::size).sum())
                    .isEqualTo(topology.online().size());
            assertThat(groups.stream().reduce(CpuSet.empty(), CpuSet::union)).isEqualTo(topology.online());
        }
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(topology.loops(allowed, processors)).isBetween(1, processors);
    }

    @Test
    void thisMachineHasTheCpusThatProcTells() throws IOException {
        assumeThat(Path.of("/proc/cpuinfo")).as("list of processors").isReadable();
        var listed = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.matches("processor\\s*:\\s*\\d+"))
                .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")))
                .toArray();
        assumeThat(listed).as("processors in /proc/cpuinfo").isNotEmpty();

        assertThat(CpuTopology.read().online()).isEqualTo(CpuSet.of(listed));
    }
}
