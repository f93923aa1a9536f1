package io.github.uvloop4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line on standard error that says how far long work is; nothing unless that is a terminal. */
final class Progress {
    private static final String ERASE_LINE = "\r\033[K";

    private final boolean terminal = isTerminal();

    void show(String line) {
        if (terminal) {
            System.err.print(ERASE_LINE + line);
            System.err.flush();
        }
    }

    void clear() {
        show("");
    }

    private static boolean isTerminal() {
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException _) {
            return false;
        }
    }
}
