package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the kernel says about the processors. */
final class Cpus {
    private Cpus() {}

    /** The CPUs that this process may use, in ascending order. */
    static List<Integer> allowed() {
        var cpus = new ArrayList<Integer>();
        for (var range :
                field(Path.of("/proc/self/status"), "Cpus_allowed_list").split(",", -1)) {
            var ends = range.strip().split("-", 2);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** The processor's name. */
    static String model() {
        return field(Path.of("/proc/cpuinfo"), "model name");
    }

    private static String field(Path file, String name) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
