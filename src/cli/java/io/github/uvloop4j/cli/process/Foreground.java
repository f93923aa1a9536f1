package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether this process is in the foreground of a terminal, whose Ctrl-C reaches its children as well. */
public final class Foreground {
    private static final int GROUP = 2;
    private static final int TERMINAL = 4;
    private static final int TERMINAL_GROUP = 5;

    private Foreground() {}

    /** Whether it is; false where the kernel does not tell. */
    public static boolean isOurs() {
        try {
            return isForeground(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException _) {
            return false;
        }
    }

    /** The same of a process, by its line in /proc/PID/stat. */
    static boolean isForeground(String stat) {
        // The name of the program stands in parentheses, and may hold blanks and parentheses.
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > TERMINAL_GROUP
                && !fields[TERMINAL].equals("0")
                && fields[TERMINAL_GROUP].equals(fields[GROUP]);
    }
}
