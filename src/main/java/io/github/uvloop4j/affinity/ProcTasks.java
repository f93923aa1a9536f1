package io.github.uvloop4j.affinity;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringTokenizer;

/** The threads and children of processes, as the kernel lists them. What has ended has none. Any thread. */
final class ProcTasks {
    private static final int[] NONE = {};

    private ProcTasks() {}

    /** The threads of this process. */
    static int[] threads() {
        return list("/proc/self/task");
    }

    /** The threads of a process. */
    static int[] threads(int pid) {
        return list("/proc/" + pid + "/task");
    }

    /** The processes that a thread of this process has started; none where the kernel does not list them. */
    static int[] children(int tid) {
        return read("/proc/self/task/" + tid + "/children");
    }

    /** The processes that a thread of a process has started. */
    static int[] children(int pid, int tid) {
        return read("/proc/" + pid + "/task/" + tid + "/children");
    }

    private static int[] list(String directory) {
        var names = new File(directory).list();
        return names == null
                ? NONE
                : Arrays.stream(names).mapToInt(ProcTasks::number).toArray();
    }

    private static int[] read(String file) {
        try (var in = new FileInputStream(file)) {
            var first = new byte[1024];
            int length = Math.max(0, in.read(first));
            if (length == 0) {
                return NONE;
            }
            var text = new StringBuilder(new String(first, 0, length, StandardCharsets.ISO_8859_1));
            text.append(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            var numbers = new StringTokenizer(text.toString());
            var pids = new int[numbers.countTokens()];
            for (int i = 0; i < pids.length; i++) {
                pids[i] = number(numbers.nextToken());
            }
            return pids;
        } catch (IOException gone) {
            return NONE;
        }
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }
}
