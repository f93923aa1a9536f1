package io.github.uvloop4j.affinity;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * On which NUMA nodes the memory of this process lies. Only memory that was touched lies anywhere. Counted in bytes, since
 * pages have several sizes. Immutable. Any thread.
 *
 * <p>The kernel walks all pages for it, which takes from milliseconds to seconds: something to look at now and then.
 */
public final class NumaPages {
    private static final Path PROCESS = Path.of("/proc/self");
    private static final String PAGE_SIZE = "kernelpagesize_kB=";
    private static final long KILO = 1024;
    private static final NumaPages NONE = new NumaPages(new TreeMap<>());

    private final SortedMap<Integer, Long> bytes;

    private NumaPages(SortedMap<Integer, Long> bytes) {
        this.bytes = Collections.unmodifiableSortedMap(bytes);
    }

    /** The memory of the whole process; without a node where the kernel knows none. */
    public static NumaPages ofProcess() {
        return ofProcess(PROCESS);
    }

    static NumaPages ofProcess(Path process) {
        return sum(KernelFiles.lines(process.resolve("numa_maps")));
    }

    /**
     * The memory of the mapping that holds an address: a buffer, when it is a big one, or what the allocator has around it.
     *
     * @param address such as {@link java.lang.foreign.MemorySegment#address} tells; without a node when nothing is mapped
     *     there
     */
    public static NumaPages ofMapping(long address) {
        return ofMapping(PROCESS, address);
    }

    static NumaPages ofMapping(Path process, long address) {
        return KernelFiles.lines(process.resolve("maps")).stream()
                .map(line -> line.split("[- ]", 3))
                .filter(range -> range.length == 3 && holds(range[0], range[1], address))
                .findFirst()
                .map(range -> KernelFiles.lines(process.resolve("numa_maps")).stream()
                        .filter(line -> address(line.split(" ", 2)[0]).equals(address(range[0])))
                        .toList())
                .map(NumaPages::sum)
                .orElse(NONE);
    }

    private static boolean holds(String from, String to, long address) {
        var first = address(from);
        var end = address(to);
        return first.isPresent()
                && end.isPresent()
                && Long.compareUnsigned(address, first.get()) >= 0
                && Long.compareUnsigned(address, end.get()) < 0;
    }

    private static Optional<Long> address(String hex) {
        try {
            return Optional.of(Long.parseUnsignedLong(hex, 16));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static NumaPages sum(List<String> lines) {
        var bytes = new TreeMap<Integer, Long>();
        for (var line : lines) {
            var words = List.of(line.split(" ", -1));
            long size = words.stream()
                    .filter(word -> word.startsWith(PAGE_SIZE))
                    .mapToLong(word -> number(word.substring(PAGE_SIZE.length())))
                    .findFirst()
                    .orElse(4);
            for (var word : words) {
                int equals = word.indexOf('=');
                if (word.startsWith("N") && equals > 0) {
                    long node = KernelFiles.number(word.substring(1, equals)).orElse(-1);
                    if (node >= 0 && node < CpuSet.LIMIT) {
                        bytes.merge((int) node, number(word.substring(equals + 1)) * size * KILO, Long::sum);
                    }
                }
            }
        }
        return new NumaPages(bytes);
    }

    private static long number(String digits) {
        return Math.max(0, KernelFiles.number(digits).orElse(0));
    }

    /** The bytes on each node that has some. Not to be changed. */
    public SortedMap<Integer, Long> bytes() {
        return bytes;
    }

    /** The bytes on all nodes together. */
    public long total() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The part that lies on a node, 0 to 1; NaN when none lies anywhere. */
    public double share(int node) {
        return (double) bytes.getOrDefault(node, 0L) / (double) total();
    }

    /** The bytes of each node. */
    @Override
    public String toString() {
        return bytes.toString();
    }
}
