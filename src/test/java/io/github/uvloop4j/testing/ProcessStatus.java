package io.github.uvloop4j.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel counts of this process. */
public final class ProcessStatus {
    private ProcessStatus() {}

    /** An entry like VmRSS, in KiB. */
    public static long kilobytes(String entry) {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            var line = lines.filter(text -> text.startsWith(entry + ':'))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no entry " + entry));
            return Long.parseLong(line.replaceAll("\\D", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
