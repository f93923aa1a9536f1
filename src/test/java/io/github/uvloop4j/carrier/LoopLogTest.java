package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopLogTest {
    private static final Logger BACKEND = Logger.getLogger("io.github.uvloop4j");

    private final Recorder recorder = new Recorder();

    /** Keeps what is logged; may be told to block or to fail. */
    private static final class Recorder extends Handler {
        private final List<LogRecord> seen = new ArrayList<>();
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean broken;

        @Override
        public void publish(LogRecord entry) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (broken) {
                broken = false;
                throw new StackOverflowError("a broken handler");
            }
            synchronized (seen) {
                seen.add(entry);
            }
        }

        List<LogRecord> seen() {
            synchronized (seen) {
                return List.copyOf(seen);
            }
        }

        boolean has(String message) {
            return count(message) > 0;
        }

        long count(String message) {
            return seen().stream()
                    .filter(entry -> entry.getMessage().contains(message))
                    .count();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void record() {
        BACKEND.setUseParentHandlers(false);
        BACKEND.addHandler(recorder);
    }

    @AfterEach
    void restore() {
        recorder.gate.countDown();
        BACKEND.removeHandler(recorder);
        BACKEND.setUseParentHandlers(true);
    }

    @Test
    void messagesArriveWithLevelAndError() {
        var error = new IllegalStateException("x");
        LoopLog.error("first", error);
        LoopLog.warn("second", null);
        LoopLog.info("third");
        Until.holds("three arrive", () -> recorder.seen().size() == 3);
        assertThat(recorder.seen())
                .extracting(LogRecord::getLevel)
                .containsExactly(Level.SEVERE, Level.WARNING, Level.INFO);
        assertThat(recorder.seen()).extracting(LogRecord::getMessage).containsExactly("first", "second", "third");
        assertThat(recorder.seen().getFirst().getThrown()).isSameAs(error);
    }

    @Test
    void floodIsBoundedAndCounted() {
        recorder.gate = new CountDownLatch(1);
        for (int i = 0; i < 15_000; i++) {
            LoopLog.error("flood", null);
        }
        recorder.gate.countDown();
        Until.holds("the loss is told", () -> recorder.has("messages were dropped"));
        assertThat(recorder.seen()).hasSizeBetween(10_000, 10_002);
    }

    @Test
    void brokenHandlerDoesNotEndTheLog() {
        recorder.broken = true;
        LoopLog.error("lost", null);
        LoopLog.error("after it", null);
        Until.holds("the next one arrives", () -> recorder.has("after it"));
    }

    @Test
    void loopGoesOnWhileTheLogIsBlocked() throws Exception {
        recorder.gate = new CountDownLatch(1);
        var running =
                RunningLoop.start(io.github.uvloop4j.LoopOptions.defaults().tasks());
        var loop = running.loop();
        for (int i = 0; i < 100; i++) {
            loop.post(() -> {
                throw new IllegalStateException("x");
            });
        }
        assertThat(RunningLoop.result(loop.submit(() -> "goes on"))).isEqualTo("goes on");
        recorder.gate.countDown();
        Until.holds("all arrive", () -> recorder.count("a callback failed") == 100);
        running.close();
    }

    @Test
    void whatIsLoggedAfterTheLoggerWasShutIsPrinted() throws Exception {
        var result = new io.github.uvloop4j.testing.ChildJvm().run(LateLogMain.class);
        assertThat(result.output()).contains("nothing was lost");
    }

    @Test
    void rescueTellsWhoWasBlockedAndWhoRan() {
        org.junit.jupiter.api.Assumptions.assumeTrue(Schedulers.available(), Schedulers.reason());
        try {
            var running = RunningLoop.onCarrier();
            var gate = new CountDownLatch(1);
            var task = running.spawn(() -> {
                java.util.concurrent.locks.LockSupport.park();
                gate.countDown();
                return true;
            });
            Until.holds("the task is parked", () -> Until.waits(task.thread()));
            running.loop().post(() -> {
                java.util.concurrent.locks.LockSupport.unpark(task.thread());
                blockedCallback(gate);
            });
            assertThat(RunningLoop.result(task)).isTrue();
            running.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        Until.holds("it is told", () -> recorder.has("the rescue carrier ran it"));
        var thrown = recorder.seen().getFirst().getThrown();
        assertThat(thrown.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("blockedCallback");
        assertThat(thrown.getSuppressed()[0].getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("park");
    }

    private static void blockedCallback(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
