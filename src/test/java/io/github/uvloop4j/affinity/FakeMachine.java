package io.github.uvloop4j.affinity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that describes a machine as Linux does below {@code /sys} and {@code /proc}. */
final class FakeMachine {
    private static final String CPU = "sys/devices/system/cpu/";
    private static final String NODE = "sys/devices/system/node/";

    private final Path root;

    FakeMachine(Path root) {
        this.root = root;
    }

    FakeMachine file(String path, String text) {
        try {
            var file = root.resolve(path);
            if (!Files.isDirectory(file.getParent())) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(file, text + '\n');
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeMachine directory(String path) {
        try {
            Files.createDirectories(root.resolve(path));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeMachine cpus(String online, String offline) {
        CpuSet.parse(offline).stream().forEach(cpu -> file(CPU + "cpu" + cpu + "/online", "0"));
        var present = CpuSet.parse(online).union(CpuSet.parse(offline)).toString();
        return file(CPU + "online", online)
                .file(CPU + "offline", offline)
                .file(CPU + "present", present)
                .file(CPU + "possible", present);
    }

    FakeMachine core(String cpus) {
        return topology("core_cpus_list", cpus);
    }

    FakeMachine socket(String cpus) {
        return topology("package_cpus_list", cpus);
    }

    FakeMachine topology(String name, String cpus) {
        CpuSet.parse(cpus).stream().forEach(cpu -> file(CPU + "cpu" + cpu + "/topology/" + name, cpus));
        return this;
    }

    /** A last-level cache, beside the smaller ones that each CPU has. */
    FakeMachine cache(String cpus) {
        CpuSet.parse(cpus).stream()
                .forEach(cpu -> cache(cpu, 0, "Data", 1, String.valueOf(cpu))
                        .cache(cpu, 1, "Instruction", 1, String.valueOf(cpu))
                        .cache(cpu, 2, "Unified", 3, cpus));
        return this;
    }

    FakeMachine cache(int cpu, int index, String type, int level, String cpus) {
        var directory = CPU + "cpu" + cpu + "/cache/index" + index;
        return file(directory + "/type", type)
                .file(directory + "/level", String.valueOf(level))
                .file(directory + "/shared_cpu_list", cpus);
    }

    FakeMachine node(int number, String cpus) {
        return file(NODE + "node" + number + "/cpulist", cpus);
    }

    CpuTopology read() {
        return CpuTopology.read(root);
    }

    CgroupLimits limits() {
        return CgroupLimits.read(root);
    }

    /** Two CPUs, each a core, in one socket. */
    static FakeMachine twoCpus(Path root) {
        return new FakeMachine(root)
                .cpus("0-1", "")
                .core("0")
                .core("1")
                .socket("0-1")
                .cache("0-1")
                .node(0, "0-1");
    }

    /** One socket of four cores of two siblings each, numbered as Linux does on PCs: CPU n and n + 4. */
    static FakeMachine fourCores(Path root) {
        var machine = new FakeMachine(root).cpus("0-7", "");
        for (int core = 0; core < 4; core++) {
            machine.core(core + "," + (core + 4));
        }
        return machine.socket("0-7").cache("0-7").node(0, "0-7");
    }

    /** One socket of two caches, each of four cores without siblings. */
    static FakeMachine chiplets(Path root) {
        var machine = new FakeMachine(root).cpus("0-7", "");
        for (int cpu = 0; cpu < 8; cpu++) {
            machine.core(String.valueOf(cpu));
        }
        return machine.socket("0-7").cache("0-3").cache("4-7").node(0, "0-7");
    }

    /** Two sockets, each a node of four cores of two siblings: CPU n and n + 8. */
    static FakeMachine twoSockets(Path root) {
        return sixteen(root).node(0, "0-3,8-11").node(1, "4-7,12-15");
    }

    /** The same with each socket cut into two nodes. */
    static FakeMachine fourNodes(Path root) {
        return sixteen(root)
                .node(0, "0-1,8-9")
                .node(1, "2-3,10-11")
                .node(2, "4-5,12-13")
                .node(3, "6-7,14-15");
    }

    private static FakeMachine sixteen(Path root) {
        var machine = new FakeMachine(root).cpus("0-15", "");
        for (int core = 0; core < 8; core++) {
            machine.core(core + "," + (core + 8));
        }
        return machine.socket("0-3,8-11").cache("0-3,8-11").socket("4-7,12-15").cache("4-7,12-15");
    }

    /**
     * Two sockets of 640 cores without siblings, a cache for 16 each. Only the first CPU of a cache and of a socket has its
     * list, and cores of one CPU have none: to write all of them takes seconds.
     */
    static FakeMachine huge(Path root) {
        var machine = new FakeMachine(root).cpus("0-1279", "");
        for (int first = 0; first < 1280; first += 16) {
            machine.cache(first, 3, "Unified", 3, first + "-" + (first + 15));
        }
        return machine.file(CPU + "cpu0/topology/package_cpus_list", "0-639")
                .file(CPU + "cpu640/topology/package_cpus_list", "640-1279")
                .node(0, "0-639")
                .node(1, "640-1279");
    }

    /** Four cores of two neighbours each, without CPUs 2, 3 and 5. */
    static FakeMachine hole(Path root) {
        return new FakeMachine(root)
                .cpus("0-1,4,6-7", "2-3,5")
                .core("0-1")
                .core("4")
                .core("6-7")
                .socket("0-1,4,6-7")
                .cache("0-1,4,6-7")
                .node(0, "0-1,4,6-7");
    }
}
