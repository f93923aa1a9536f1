package io.github.uvloop4j.carrier;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where loops log: on a thread of its own, since a logger's lock may be held by a task that needs the loop thread to
 * let go of it. Takes no lock, never blocks, keeps a bounded number of entries. Any thread.
 */
public final class LoopLog {
    private static final int LIMIT = 10_000;
    private static final ConcurrentLinkedQueue<Entry> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final AtomicInteger DROPPED = new AtomicInteger();

    /** Held by who writes, which is the log's thread or the one that sees the JVM out; loops never touch it. */
    private static final ReentrantLock WRITER = new ReentrantLock();

    private record Entry(
            System.Logger.Level level,
            String message,
            @Nullable Throwable error) {}

    private static final class Holder {
        static final Thread THREAD =
                Thread.ofPlatform().daemon().name("uvloop4j-log").start(LoopLog::writeAll);

        static {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(LoopLog::drainLast, "uvloop4j-log-exit"));
            } catch (IllegalStateException exiting) {
                // The first message comes while the JVM goes down: the thread may still write it.
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

    /** Waits for a message that is being written, for a while. */
    private static void drainLast() {
        try {
            if (WRITER.tryLock(2, TimeUnit.SECONDS)) {
                WRITER.unlock();
                drain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drain() {
        WRITER.lock();
        try {
            writeQueued();
        } finally {
            WRITER.unlock();
        }
    }

    private static void writeQueued() {
        var logger = System.getLogger("io.github.uvloop4j");
        for (var entry = QUEUE.poll(); entry != null; entry = QUEUE.poll()) {
            WAITING.decrementAndGet();
            try {
                logger.log(entry.level, entry.message, entry.error);
            } catch (Throwable broken) {
                broken.printStackTrace();
            }
        }
        int dropped = DROPPED.getAndSet(0);
        if (dropped > 0) {
            logger.log(System.Logger.Level.WARNING, dropped + " messages were dropped: too many at once");
        }
    }
}
