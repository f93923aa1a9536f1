package io.github.uvloop4j.carrier;

import io.github.uvloop4j.affinity.Unpinned;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where loops log: on a thread of its own, since a logger's lock may be held by a task that needs the loop thread to
 * let go of it. Takes no lock, never blocks, keeps a bounded number of entries. Any thread.
 */
public final class LoopLog {
    private static final int LIMIT = 10_000;
    private static final long EXIT_NANOS = 5_000_000_000L;
    private static final ConcurrentLinkedQueue<Entry> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final AtomicInteger DROPPED = new AtomicInteger();

    /** The JVM is going down, and the logger may have been shut already: the JDK's does so in a hook of its own. */
    private static volatile boolean exiting;

    private record Entry(
            System.Logger.Level level,
            String message,
            @Nullable Throwable error) {}

    private static final class Holder {
        static final Thread THREAD =
                Thread.ofPlatform().daemon().name("uvloop4j-log").start(Unpinned.unpinned(LoopLog::writeAll));

        static {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(LoopLog::flush, "uvloop4j-log-exit"));
            } catch (IllegalStateException ending) {
                // The JVM is going down: what is logged from now on may be lost.
            }
        }

        private Holder() {}
    }

    private LoopLog() {}

    /** Logs an error. */
    public static void error(String message, @Nullable Throwable error) {
        log(System.Logger.Level.ERROR, message, error);
    }

    /** Logs a warning. */
    public static void warn(String message, @Nullable Throwable error) {
        log(System.Logger.Level.WARNING, message, error);
    }

    /** Logs something ordinary that may help to find a fault, unless there is much else to log. */
    public static void debug(String message, Throwable error) {
        if (WAITING.get() < LIMIT / 2) {
            log(System.Logger.Level.DEBUG, message, error);
        }
    }

    /** Logs something that is good to know. */
    public static void info(String message) {
        log(System.Logger.Level.INFO, message, null);
    }

    private static void log(System.Logger.Level level, String message, @Nullable Throwable error) {
        if (WAITING.incrementAndGet() > LIMIT) {
            WAITING.decrementAndGet();
            DROPPED.incrementAndGet();
            return;
        }
        QUEUE.add(new Entry(level, message, error));
        LockSupport.unpark(Holder.THREAD);
    }

    private static void writeAll() {
        while (true) {
            drain();
            if (QUEUE.isEmpty()) {
                LockSupport.park();
            }
        }
    }

    private static void drain() {
        for (var entry = QUEUE.poll(); entry != null; entry = QUEUE.poll()) {
            write(entry);
            WAITING.decrementAndGet();
        }
        int dropped = DROPPED.getAndSet(0);
        if (dropped > 0) {
            write(new Entry(System.Logger.Level.WARNING, dropped + " messages were dropped: too many at once", null));
        }
    }

    /** Rather twice than never: what was given to a logger that was being shut may be lost. */
    private static void write(Entry entry) {
        try {
            if (!exiting) {
                System.getLogger("io.github.uvloop4j").log(entry.level, entry.message, entry.error);
            }
            if (entry.level != System.Logger.Level.DEBUG && exiting()) {
                print(entry);
            }
        } catch (Throwable broken) {
            // The thread must live on for the next message.
            broken.printStackTrace();
        }
    }

    /** Asks the JVM: the hook that shuts the JDK's logger may run before ours has said so. */
    private static boolean exiting() {
        if (!exiting) {
            var probe = new Thread(() -> {});
            try {
                Runtime.getRuntime().addShutdownHook(probe);
                Runtime.getRuntime().removeShutdownHook(probe);
            } catch (IllegalStateException ending) {
                exiting = true;
            }
        }
        return exiting;
    }

    private static void print(Entry entry) {
        System.err.println(entry.level + ": " + entry.message);
        if (entry.error != null) {
            entry.error.printStackTrace();
        }
    }

    /** Waits for what was logged, but not for ever: whoever holds the logger's lock may never let go of it. */
    private static void flush() {
        exiting = true;
        long deadline = System.nanoTime() + EXIT_NANOS;
        while (WAITING.get() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
