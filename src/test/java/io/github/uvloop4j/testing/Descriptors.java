package io.github.uvloop4j.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The open descriptors of this process and what they are. */
public record Descriptors(Map<String, String> open) {
    private static final int TRIES = 200;

    /** What is open now. */
    public static Descriptors now() {
        var open = new TreeMap<String, String>();
        try (var entries = Files.list(Path.of("/proc/self/fd"))) {
            for (var entry : (Iterable<Path>) entries::iterator) {
                try {
                    open.put(
                            entry.getFileName().toString(),
                            Files.readSymbolicLink(entry).toString());
                } catch (IOException closedMeanwhile) {
                    // The listing's own descriptor, for one.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Descriptors(open);
    }

    /** Sockets, events and epolls that were opened since and are still there after a while. */
    public static List<String> leakedSince(Descriptors before) {
        List<String> leaked = List.of();
        for (int i = 0; i < TRIES; i++) {
            leaked = newSince(before);
            if (leaked.isEmpty()) {
                return leaked;
            }
            pause();
        }
        return leaked;
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> newSince(Descriptors before) {
        return now().open.entrySet().stream()
                .filter(entry -> !before.open.containsValue(entry.getValue())
                        || entry.getValue().startsWith("anon_inode") && !before.open.containsKey(entry.getKey()))
                .filter(entry -> entry.getValue().startsWith("socket:")
                        || entry.getValue().startsWith("anon_inode")
                        || entry.getValue().startsWith("pipe:"))
                .map(entry -> "descriptor " + entry.getKey() + " -> " + entry.getValue())
                .toList();
    }
}
