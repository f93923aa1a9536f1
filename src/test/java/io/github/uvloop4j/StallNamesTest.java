package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.CapturedLog;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By which names and places the watch tells what is slow. */
@Timeout(60)
class StallNamesTest {
    private final BlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();

    private EventLoop watched(boolean debug) {
        var loop = EventLoop.create(LoopOptions.defaults().debug(debug).stallLimit(Duration.ofMillis(10)));
        loop.stallHandler(stalls::add);
        return loop;
    }

    /** Keeps the loop until it was seen, and then ends its run. */
    private Stall seen(EventLoop loop) {
        try {
            var stall = stalls.poll(30, TimeUnit.SECONDS);
            assertThat(stall).as("a stall").isNotNull();
            return stall;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            loop.stop();
        }
    }

    private class Slow implements Runnable {
        private final EventLoop loop;
        private final String name;
        Stall stall;

        Slow(EventLoop loop, String name) {
            this.loop = loop;
            this.name = name;
        }

        @Override
        public void run() {
            stall = seen(loop);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static void isHere(Throwable creation) {
        assertThat(creation).isNotNull();
        assertThat(creation.getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(StallNamesTest.class.getName()));
    }

    @Test
    @Tag("cells")
    void aSlowCallbackIsNamedWithItsPlaceInDebugMode() {
        try (var loop = watched(true)) {
            var slow = new Slow(loop, "slow greeting");
            loop.callSoon(slow);
            loop.runForever();
            assertThat(slow.stall.what()).isEqualTo("callback slow greeting");
            isHere(slow.stall.creation());
        }
    }

    @Test
    void aSlowTimerIsNamedWithItsPlaceInDebugMode() {
        try (var loop = watched(true)) {
            var slow = new Slow(loop, "slow alarm");
            loop.callLater(Duration.ofMillis(1), slow);
            loop.runForever();
            assertThat(slow.stall.what()).isEqualTo("timer slow alarm");
            isHere(slow.stall.creation());
        }
    }

    @Test
    void aSlowTaskIsNamedWithItsPlaceInDebugMode() throws Exception {
        try (var loop = watched(true)) {
            var stall = loop.runUntilComplete(loop.spawn("slow reader", () -> {
                while (stalls.isEmpty()) {
                    Thread.onSpinWait();
                }
                return stalls.take();
            }));
            assertThat(stall.what()).startsWith("task slow reader");
            isHere(stall.creation());
        }
    }

    @Test
    void withoutDebugModeThereIsAName() {
        try (var loop = watched(false)) {
            var slow = new Slow(loop, "slow greeting");
            loop.callSoon(slow);
            loop.runForever();
            assertThat(slow.stall.what()).isEqualTo("callback slow greeting");
            assertThat(slow.stall.creation()).isNull();
        }
    }

    @Test
    void whatCannotSayItsNameDoesNotHarm() {
        try (var loop = watched(false)) {
            var slow = new Slow(loop, "unused") {
                @Override
                public String toString() {
                    throw new IllegalStateException("no name");
                }
            };
            loop.callSoon(slow);
            loop.runForever();
            assertThat(slow.stall.what()).contains("ScheduledCall");
        }
    }

    @Test
    void whatIsLoggedHasNameLoopStackAndPlace() {
        try (var log = new CapturedLog();
                var loop = watched(true)) {
            loop.stallHandler(null);
            loop.callSoon(() -> {
                var entry = log.await("slow: callback");
                assertThat(entry.getLevel()).isEqualTo(Level.WARNING);
                assertThat(entry.getMessage()).contains(" has kept uvloop4j for ");
                isHere(entry.getThrown());
                isHere(entry.getThrown().getCause());
                loop.stop();
            });
            loop.runForever();
        }
    }
}
