package io.github.uvloop4j.cli.process;

import io.github.uvloop4j.affinity.ThreadUsage;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * What the kernel has counted so far of the loop threads of a process. They are found by their names.
 *
 * @param threads by thread id
 * @param nanos when that was, by {@link System#nanoTime}
 */
public record LoopSample(Map<Long, ThreadUsage> threads, long nanos) {
    /** A process without loop threads. */
    public static final LoopSample NONE = new LoopSample(Map.of(), 0);

    /** The kernel keeps 15 characters of a name; of a longer one the JVM takes some from each end. */
    private static final Pattern NAME = Pattern.compile("uvloop4j-loop.*|uvloop4\\.\\.o*p-\\d+");

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * What all loop threads did together, per second; NaN where the kernel does not tell.
     *
     * @param migrations to another CPU
     * @param voluntarySwitches to wait
     * @param involuntarySwitches in which the CPU was taken away
     */
    public record Rates(double migrations, double voluntarySwitches, double involuntarySwitches) {}

    /** Samples a process; one that is not there has no threads. Any thread. */
    public static LoopSample of(long pid) {
        var threads = new HashMap<Long, ThreadUsage>();
        try (var tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (var task : tasks) {
                if (isLoop(task)) {
                    var id = Long.parseLong(task.getFileName().toString());
                    threads.put(id, ThreadUsage.of(pid, id));
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            // The process is gone, and what it did with it.
        }
        return new LoopSample(Map.copyOf(threads), System.nanoTime());
    }

    private static boolean isLoop(Path task) {
        try {
            return isLoop(Files.readString(task.resolve("comm")).strip());
        } catch (IOException _) {
            return false;
        }
    }

    static boolean isLoop(String name) {
        return NAME.matcher(name).matches();
    }

    /** What was done since an earlier sample of the same process; threads that ended meanwhile do not count. */
    public Rates since(LoopSample earlier) {
        return new Rates(
                rate(earlier, ThreadUsage::migrations),
                rate(earlier, ThreadUsage::voluntarySwitches),
                rate(earlier, ThreadUsage::involuntarySwitches));
    }

    private double rate(LoopSample earlier, ToLongFunction<ThreadUsage> counter) {
        var total = 0L;
        for (var thread : threads.entrySet()) {
            var before = earlier.threads.get(thread.getKey());
            var usage = before == null ? thread.getValue() : thread.getValue().since(before);
            var count = counter.applyAsLong(usage);
            if (count < 0) {
                return Double.NaN;
            }
            total += count;
        }
        return threads.isEmpty() ? Double.NaN : total * NANOS_PER_SECOND / (nanos - earlier.nanos);
    }
}
