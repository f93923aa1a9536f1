package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The CPU time that a process and its descendants have used so far.
 *
 * <p>Facts about Linux: {@code task/*}{@code /schedstat} counts nanoseconds but forgets a thread when it ends;
 * {@code stat} remembers those, in ticks of 10 ms, and knows the user and system shares.
 *
 * @param threadNanos nanoseconds of each live thread, by thread id
 * @param userTicks ticks in user mode, ended threads included
 * @param systemTicks ticks in the kernel, ended threads included
 */
public record CpuSample(Map<Long, Long> threadNanos, long userTicks, long systemTicks) {
    /** A process that has not run yet. */
    public static final CpuSample ZERO = new CpuSample(Map.of(), 0, 0);

    private static final long TICK_NANOS = 10_000_000;
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;

    /**
     * CPU time between two samples.
     *
     * @param totalNanos user and system time, in nanoseconds
     * @param userNanos the user share of it, split by ticks
     */
    public record Used(long totalNanos, long userNanos) {}

    /** Samples a process and its descendants. Any thread. */
    public static CpuSample of(long pid) throws IOException {
        var threads = new HashMap<Long, Long>();
        var user = 0L;
        var system = 0L;
        for (var process : family(pid)) {
            try {
                readThreads(process, threads);
                var stat = Files.readString(Path.of("/proc/" + process + "/stat"));
                var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                user += Long.parseLong(fields[USER_FIELD]);
                system += Long.parseLong(fields[SYSTEM_FIELD]);
            } catch (NoSuchFileException e) {
                if (process == pid) {
                    throw new IOException("no process " + pid, e);
                }
            }
        }
        return new CpuSample(Map.copyOf(threads), user, system);
    }

    private static List<Long> family(long pid) {
        var descendants = ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid);
        return Stream.concat(Stream.of(pid), descendants).toList();
    }

    private static void readThreads(long pid, Map<Long, Long> nanos) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (var task : tasks) {
                try {
                    var stat = Files.readString(task.resolve("schedstat"));
                    var id = Long.parseLong(task.getFileName().toString());
                    nanos.put(id, Long.parseLong(stat.substring(0, stat.indexOf(' '))));
                } catch (IOException _) {
                    // The thread ended meanwhile, or this kernel has no schedstat: the ticks stand in for it.
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** What was used since an earlier sample of the same process. */
    public Used since(CpuSample earlier) {
        var nanos = 0L;
        for (var thread : threadNanos.entrySet()) {
            nanos += Math.max(0, thread.getValue() - earlier.threadNanos.getOrDefault(thread.getKey(), 0L));
        }
        var user = userTicks - earlier.userTicks;
        var system = systemTicks - earlier.systemTicks;
        var ticks = (user + system) * TICK_NANOS;
        // Two readings of rounded ticks differ by less than two; more than that was used by threads that ended.
        var total = ticks - nanos > 2 * TICK_NANOS ? ticks : nanos;
        var share = user + system == 0 ? 0 : (double) user / (user + system);
        return new Used(total, Math.round(total * share));
    }
}
