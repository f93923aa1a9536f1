package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.observe.StallInfo;
import io.github.uvloop4j.testing.CapturedLog;
import io.github.uvloop4j.testing.Until;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watch tells once something has let go of the loop, and how short a limit may be. */
@Timeout(60)
class StallOverTest {
    private record Over(StallInfo stall, Duration lasted, Thread thread) {}

    private final BlockingQueue<StallInfo> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<Over> over = new LinkedBlockingQueue<>();

    private final class Looker implements LoopObserver {
        @Override
        public void stalled(LoopContext loop, StallInfo stall) {
            begun.add(stall);
        }

        @Override
        public void stallOver(LoopContext loop, StallInfo stall, Duration lasted) {
            over.add(new Over(stall, lasted, Thread.currentThread()));
        }
    }

    private EventLoop watched(Duration limit) {
        return EventLoop.create(LoopOptions.defaults().stallLimit(limit).observe(new Looker()));
    }

    /** Keeps the loop until the watch has seen it, and for three limits of ten milliseconds more. */
    private void keep() {
        try {
            while (begun.isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(new CountDownLatch(1).await(30, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Over over() throws InterruptedException {
        var told = over.poll(30, TimeUnit.SECONDS);
        assertThat(told).as("the end of the stall").isNotNull();
        return told;
    }

    @Test
    void observersAreToldHowLongItLastedInAll() throws Exception {
        try (var loop = watched(Duration.ofMillis(10)).start()) {
            loop.stallHandler(stall -> {});
            loop.post(this::keep);
            var end = over();
            assertThat(end.stall()).isEqualTo(begun.take());
            assertThat(end.lasted()).isGreaterThanOrEqualTo(end.stall().lasted());
            assertThat(end.thread().getName()).isEqualTo("uvloop4j-watch");
        }
        assertThat(over).isEmpty();
    }

    @Test
    void soAreTheyWhenTheRunEndsWithIt() throws Exception {
        try (var loop = watched(Duration.ofMillis(10))) {
            loop.stallHandler(stall -> {});
            loop.callSoon(() -> {
                keep();
                loop.stop();
            });
            loop.runForever();
        }
        assertThat(over().stall()).isEqualTo(begun.take());
    }

    @Test
    void theLogSaysSoToo() throws Exception {
        try (var log = new CapturedLog();
                var loop = watched(Duration.ofMillis(10)).start()) {
            loop.post(this::keep);
            log.await(" has kept uvloop4j for ");
            var entry = log.await(" has let go of uvloop4j after ");
            assertThat(entry.getLevel()).isEqualTo(Level.WARNING);
            assertThat(entry.getMessage()).startsWith("slow: ").endsWith(" ms");
        }
    }

    @Test
    void aHandlerOfStallsKeepsItFromTheLog() throws Exception {
        try (var log = new CapturedLog();
                var loop = watched(Duration.ofMillis(10)).start()) {
            loop.stallHandler(stall -> {});
            for (int i = 0; i < 2; i++) {
                begun.clear();
                loop.post(this::keep);
                over();
            }
            // By now at least the first of them would have been logged.
            loop.callExceptionHandler(new ExceptionContext("the end", new Exception(), null, null));
            var first = log.await(entry -> true);
            assertThat(first.getMessage()).isEqualTo("the end");
        }
    }

    @Test
    void aLimitOfAMillisecondIsKept() throws Exception {
        try (var loop = watched(Duration.ofMillis(1)).start()) {
            loop.stallHandler(stall -> {});
            loop.post(this::keep);
            assertThat(over().stall().lasted()).isGreaterThanOrEqualTo(Duration.ofMillis(1));
        }
    }

    @Test
    void theWatchLooksFourTimesALimitButNeitherTooOftenNorTooSeldom() {
        assertThat(WatchedLoop.tickNanos(TimeUnit.MILLISECONDS.toNanos(40))).isEqualTo(10_000_000);
        assertThat(WatchedLoop.tickNanos(1)).isEqualTo(1_000_000);
        assertThat(WatchedLoop.tickNanos(TimeUnit.DAYS.toNanos(100))).isEqualTo(20_000_000);
    }

    @Test
    void aLoopThatIsOverIsLetGo() throws Exception {
        try (var loop = watched(Duration.ofMillis(10))) {
            loop.stallHandler(stall -> {});
            loop.callSoon(() -> {
                keep();
                loop.stop();
            });
            loop.runForever();
            Until.holds("the watch has forgotten the loop", () -> !StallWatch.isWatched(loop));
        }
    }
}
