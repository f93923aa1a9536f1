package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.CpuTopology;
import io.github.uvloop4j.affinity.KernelVersion;
import io.github.uvloop4j.affinity.MemoryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyTest {
    private static final KernelVersion OLD = new KernelVersion(4, 4);
    private static final KernelVersion NEW = new KernelVersion(6, 2);

    @TempDir
    Path root;

    private void file(String path, String text) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Two cores of two siblings, a node of memory only, CPU 9 offline, and a quota. */
    private CpuTopology machine() throws IOException {
        for (int cpu = 0; cpu < 4; cpu++) {
            file("sys/devices/system/cpu/cpu" + cpu + "/topology/core_cpus_list", cpu < 2 ? "0-1" : "2-3");
            file("sys/devices/system/cpu/cpu" + cpu + "/topology/package_cpus_list", "0-3");
        }
        file("sys/devices/system/cpu/online", "0-3");
        file("sys/devices/system/cpu/present", "0-3,9");
        file("sys/devices/system/node/node0/cpulist", "0-3");
        file("sys/devices/system/node/node1/cpulist", "");
        file("proc/self/cgroup", "0::/");
        file("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
        file("sys/fs/cgroup/cpu.max", "150000 100000");
        file("sys/fs/cgroup/cpuset.cpus.effective", "1-3");
        return CpuTopology.read(root);
    }

    @Test
    void describesTheMachine() throws IOException {
        assertThat(TopologyCommand.fields(machine(), CpuSet.range(1, 3), 4, NEW))
                .containsEntry("cpus_online", "0-3")
                .containsEntry("cpus_offline", "9")
                .containsEntry("cpus_possible", "0-3,9")
                .containsEntry("cpus_allowed", "1-3")
                .containsEntry("cpus_of_cpuset", "1-3")
                .containsEntry("quota_cpus", 1.5)
                .containsEntry("available_processors", 4)
                .containsEntry("default_loops", 2)
                .containsEntry("sockets", List.of("0-3"))
                .containsEntry("caches", List.of("0-3"))
                .containsEntry("nodes", List.of(Map.of("node", 0, "cpus", "0-3"), Map.of("node", 1, "cpus", "")))
                .containsEntry(
                        "cores",
                        List.of(
                                Map.of("cpus", "0-1", "cache", 0, "socket", 0, "node", 0),
                                Map.of("cpus", "2-3", "cache", 0, "socket", 0, "node", 0)));
    }

    @Test
    void tellsWhatTheKernelCannotSteerBy() throws IOException {
        assertThat(TopologyCommand.fields(machine(), CpuSet.of(1), 1, NEW))
                .containsEntry("steering_by_incoming_cpu", true)
                .containsEntry("steering_by_cbpf", true);
        var old = TopologyCommand.fields(machine(), CpuSet.of(1), 1, OLD);
        assertThat(old).containsEntry("steering_by_incoming_cpu", false).containsEntry("steering_by_cbpf", false);
        assertThat(String.valueOf(old.get("missing"))).contains("needs Linux 6.2 or newer, this is 4.4", "4.5");
    }

    @Test
    void printsThisMachineAsJson() {
        var outcome = Outcome.of("topology", "--json");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        var topology = CpuTopology.read();
        assertThat(outcome.json())
                .containsEntry("cpus_online", topology.online().toString())
                .containsEntry("cpus_allowed", Affinity.allowed().toString())
                .containsEntry("memory_policy", MemoryPolicy.isAvailable())
                .containsKeys("kernel", "cpus_of_cpuset", "quota_cpus", "default_loops", "nodes", "cores", "missing");
        assertThat(outcome.json().get("sockets"))
                .isEqualTo(topology.sockets().stream().map(CpuSet::toString).toList());
    }

    @Test
    void printsThisMachineForPeople() {
        var outcome = Outcome.of("topology");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        var topology = CpuTopology.read();
        assertThat(outcome.out())
                .containsPattern("(?m)^cpus online +" + topology.online() + '$')
                .containsPattern("(?m)^cores +" + topology.cores().size() + '$')
                .containsPattern("(?m)^ +cpus " + topology.cores().getFirst() + ", cache 0, socket 0, node \\d+$");
    }
}
