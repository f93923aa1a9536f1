package io.github.uvloop4j.affinity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel shows of threads and processes. */
public final class TaskStatus {
    private TaskStatus() {}

    /** The CPUs of a thread of this process. */
    public static CpuSet ofThread(long tid) throws IOException {
        return cpus(Path.of("/proc/self/task", Long.toString(tid), "status"));
    }

    /** The CPUs of a process's first thread. */
    public static CpuSet ofProcess(long pid) throws IOException {
        return cpus(Path.of("/proc", Long.toString(pid), "status"));
    }

    private static CpuSet cpus(Path status) throws IOException {
        return CpuSet.parse(field(status, "Cpus_allowed_list"));
    }

    static String field(Path status, String name) throws IOException {
        for (var line : Files.readAllLines(status)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        throw new IOException("no " + name + " in " + status);
    }
}
