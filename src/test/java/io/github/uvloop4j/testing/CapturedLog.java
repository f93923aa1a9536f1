package io.github.uvloop4j.testing;

import io.github.uvloop4j.carrier.LoopLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the library logs while this is open; nothing of it is printed. */
public final class CapturedLog extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("io.github.uvloop4j");

    private static final String END = "end of the captured log";

    private final LinkedBlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

    /** Starts to listen. */
    public CapturedLog() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(this);
    }

    /** Waits for a record, passing over others. */
    public LogRecord await(Predicate<LogRecord> wanted) {
        var seen = new ArrayList<String>();
        try {
            while (true) {
                var next = records.poll(20, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("no such record; there were " + seen);
                }
                if (wanted.test(next)) {
                    return next;
                }
                seen.add(next.getMessage());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a record whose message holds a text. */
    public LogRecord await(String text) {
        return await(entry -> entry.getMessage().contains(text));
    }

    /** What came and was not waited for. */
    public List<LogRecord> rest() {
        return List.copyOf(records);
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getMessage().equals(END)) {
            // Still on its way to the handlers that come back meanwhile, which take nothing of this level.
            entry.setLevel(Level.ALL);
        }
        records.add(entry);
    }

    @Override
    public void flush() {}

    /** Lets the library write what it still has to, and stops to listen. */
    @Override
    public void close() {
        LoopLog.info(END);
        await(END);
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(true);
    }
}
