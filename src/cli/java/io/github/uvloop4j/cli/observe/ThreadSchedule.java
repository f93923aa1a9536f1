package io.github.uvloop4j.cli.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How long a thread of another process ran and how long it waited for a CPU, by the kernel's books. */
final class ThreadSchedule {
    private static final double NANOS = 1e9;

    private final Path file;
    private final long thread;
    private final long begin = System.nanoTime();
    private final long @Nullable [] first;

    private ThreadSchedule(long pid, long thread) {
        this.thread = thread;
        file = Path.of("/proc", Long.toString(pid), "task", Long.toString(thread), "schedstat");
        first = read(file);
    }

    static ThreadSchedule begin(long pid, long thread) {
        return new ThreadSchedule(pid, thread);
    }

    long thread() {
        return thread;
    }

    /** What has come since the beginning; null where the kernel does not tell. */
    LoopReport.@Nullable Schedule since() {
        var now = first == null ? null : read(file);
        return first == null || now == null
                ? null
                : new LoopReport.Schedule(
                        (System.nanoTime() - begin) / NANOS, (now[0] - first[0]) / NANOS, (now[1] - first[1]) / NANOS);
    }

    private static long @Nullable [] read(Path file) {
        try {
            var words = Files.readString(file).strip().split(" ", -1);
            return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException _) {
            return null;
        }
    }
}
