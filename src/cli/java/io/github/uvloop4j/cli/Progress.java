package io.github.uvloop4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line on standard error that says how far long work is; nothing unless that is a terminal. */
final class Progress {
    /** Its descriptor. */
    static final int STANDARD_OUTPUT = 1;

    private static final int STANDARD_ERROR = 2;
    private static final String ERASE_LINE = "\r\033[K";

    private final boolean terminal = isTerminal(STANDARD_ERROR);

    void show(String line) {
        if (terminal) {
            System.err.print(ERASE_LINE + line);
            System.err.flush();
        }
    }

    void clear() {
        show("");
    }

    /** Whether a descriptor of this process is a terminal. */
    static boolean isTerminal(int descriptor) {
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException _) {
            return false;
        }
    }
}
