package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ends this JVM when the process that started it is gone, so that no server stays behind as an orphan. */
public final class StdinWatch {
    private StdinWatch() {}

    /**
     * Exits with status 0 when standard input ends. Does nothing unless that is a pipe or a socket: reading a terminal
     * would stop a server in the background, and an input from /dev/null would end it at once.
     */
    public static void exitAtEnd() {
        if (!isPipe()) {
            return;
        }
        Thread.ofPlatform().daemon().name("stdin-watch").start(() -> {
            try {
                System.in.skipNBytes(Long.MAX_VALUE);
            } catch (IOException _) {
                System.exit(0);
            }
        });
    }

    private static boolean isPipe() {
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException _) {
            return false;
        }
    }
}
