package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** CPU lists as taskset and the kernel write them: {@code 0-3,8}. */
public final class CpuList {
    private static final int HIGHEST = 65_535;

    private CpuList() {}

    /**
     * Reads a list such as {@code 0-3,8}.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static SortedSet<Integer> parse(String list) {
        var cpus = new TreeSet<Integer>();
        for (var part : list.strip().split(",", -1)) {
            var ends = part.split("-", -1);
            var first = number(list, ends[0]);
            var last = ends.length == 1 ? first : number(list, ends[1]);
            if (ends.length > 2 || last < first) {
                throw malformed(list);
            }
            for (var cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** Writes a list with commas. */
    public static String format(Collection<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The CPUs that this process may use. */
    public static SortedSet<Integer> allowed() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> parse(line.substring(line.indexOf(':') + 1)))
                    .findFirst()
                    .orElseGet(TreeSet::new);
        } catch (IOException _) {
            return new TreeSet<>();
        }
    }

    private static int number(String list, String digits) {
        try {
            var number = Integer.parseInt(digits);
            if (number < 0 || number > HIGHEST) {
                throw malformed(list);
            }
            return number;
        } catch (NumberFormatException _) {
            throw malformed(list);
        }
    }

    private static IllegalArgumentException malformed(String list) {
        return new IllegalArgumentException("'" + list + "' is not a CPU list such as 0-3,8");
    }
}
