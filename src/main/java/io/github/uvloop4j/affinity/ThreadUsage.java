package io.github.uvloop4j.affinity;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the kernel counts of a thread since its start. A number that it does not tell is -1: all of them when there is no
 * such thread, and single ones where it was built without. Immutable. Any thread.
 *
 * @param voluntarySwitches how often it gave its CPU away, to wait
 * @param involuntarySwitches how often its CPU was taken away
 * @param migrations how often it went on another CPU than before
 * @param cpuNanos the CPU time that it used, in nanoseconds
 * @param lastCpu the CPU that it runs on or ran on last
 */
public record ThreadUsage(
        long voluntarySwitches, long involuntarySwitches, long migrations, long cpuNanos, int lastCpu) {
    private static final Path PROCESSES = Path.of("/proc");

    /** The kernel's files count in hundredths of a second, whatever its own clock does. */
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

    /** Fields of {@code stat} behind the name, which may itself hold blanks and brackets. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int PROCESSOR = 36;

    /**
     * Reads what is counted of a thread of this process.
     *
     * @param tid the kernel's number of it, as {@link Affinity#threadId} has it
     */
    public static ThreadUsage of(long tid) {
        return of("self", tid);
    }

    /**
     * Reads what is counted of a thread of a process that this one may look at.
     *
     * @param pid the kernel's number of the process
     * @param tid the kernel's number of the thread
     */
    public static ThreadUsage of(long pid, long tid) {
        return of(String.valueOf(pid), tid);
    }

    private static ThreadUsage of(String process, long tid) {
        return read(PROCESSES.resolve(process).resolve("task").resolve(String.valueOf(tid)));
    }

    static ThreadUsage read(Path task) {
        var status = KernelFiles.lines(task.resolve("status"));
        var stat = KernelFiles.text(task.resolve("stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return new ThreadUsage(
                entry(status, "voluntary_ctxt_switches"),
                entry(status, "nonvoluntary_ctxt_switches"),
                entry(KernelFiles.lines(task.resolve("sched")), "se.nr_migrations"),
                cpuNanos(KernelFiles.text(task.resolve("schedstat")), fields),
                (int) field(fields, PROCESSOR));
    }

    private static long entry(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name) && line.indexOf(':') >= 0)
                .map(line -> line.split(":", 2))
                .filter(parts -> parts[0].strip().equals(name))
                .mapToLong(parts -> number(parts[1]))
                .findFirst()
                .orElse(-1);
    }

    private static long cpuNanos(String schedstat, String[] stat) {
        long nanos = number(schedstat.split(" ", -1)[0]);
        long user = field(stat, USER_TICKS);
        long system = field(stat, SYSTEM_TICKS);
        return nanos >= 0 || user < 0 || system < 0 ? nanos : (user + system) * TICK;
    }

    private static long field(String[] fields, int index) {
        return index < fields.length ? number(fields[index]) : -1;
    }

    private static long number(String text) {
        return Math.max(-1, KernelFiles.number(text.strip()).orElse(-1));
    }

    /** What was counted since an earlier reading of the same thread, on the CPU of this one. */
    public ThreadUsage since(ThreadUsage earlier) {
        return new ThreadUsage(
                difference(voluntarySwitches, earlier.voluntarySwitches),
                difference(involuntarySwitches, earlier.involuntarySwitches),
                difference(migrations, earlier.migrations),
                difference(cpuNanos, earlier.cpuNanos),
                lastCpu);
    }

    private static long difference(long now, long before) {
        return now < 0 || before < 0 ? -1 : now - before;
    }
}
