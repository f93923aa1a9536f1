package io.github.uvloop4j.carrier;

import io.github.uvloop4j.testing.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what the loops log from its creation on. */
final class Logged extends Handler implements AutoCloseable {
    private static final Logger BACKEND = Logger.getLogger("io.github.uvloop4j");

    private final List<LogRecord> seen = new ArrayList<>();

    Logged() {
        BACKEND.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        synchronized (seen) {
            seen.add(entry);
        }
    }

    private List<LogRecord> seen() {
        synchronized (seen) {
            return List.copyOf(seen);
        }
    }

    private static boolean says(LogRecord entry, String part) {
        var thrown = entry.getThrown();
        return entry.getMessage().contains(part)
                || (thrown != null && String.valueOf(thrown.getMessage()).contains(part));
    }

    /** The first entry whose message, or whose error's, contains a text; waits for it. */
    LogRecord await(String part) {
        Until.holds("it is logged: " + part, () -> seen().stream().anyMatch(entry -> says(entry, part)));
        return seen().stream().filter(entry -> says(entry, part)).findFirst().orElseThrow();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        BACKEND.removeHandler(this);
    }
}
