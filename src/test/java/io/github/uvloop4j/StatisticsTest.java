package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Until;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class StatisticsTest {
    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

    private static void block(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Test
    @Tag("cells")
    void aBlockedCallShowsAsTheLongestTurnAndInThePercentiles(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int i = 0; i < 100; i++) {
                var passed = loop.createFuture();
                loop.callSoon(() -> passed.complete(null));
                passed.await();
            }
            var blocked = loop.createFuture();
            loop.callSoon(() -> {
                block(HALF_A_SECOND);
                blocked.complete(null);
            });
            blocked.await();
        });
        var statistics = loop.statistics();
        assertThat(statistics.turns().max()).isGreaterThanOrEqualTo(HALF_A_SECOND);
        assertThat(statistics.ready().max()).isGreaterThanOrEqualTo(HALF_A_SECOND);
        assertThat(statistics.turns().weightedPercentile(90)).isGreaterThanOrEqualTo(HALF_A_SECOND);
        assertThat(statistics.turns().percentile(50)).isLessThan(HALF_A_SECOND);
        assertThat(statistics.busyShare()).isBetween(0.5, 1.0);
    }

    @Test
    void anIdleLoopMakesAboutNoTurns(EventLoop loop) throws Exception {
        loop.run(() -> {
            var before = loop.statistics();
            var woken = loop.createFuture();
            loop.callLater(Duration.ofMillis(300), () -> woken.complete(null));
            woken.await();
            var since = loop.statistics().since(before);
            assertThat(since.turns().count()).isLessThan(10);
            assertThat(since.polls().total()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(200));
            assertThat(since.pollsForTimers()).isPositive();
            assertThat(since.pollLimits().max()).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(301));
        });
    }

    @Test
    void timersAreNeverEarlyAndTheirLatenessIsCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int i = 0; i < 5; i++) {
                var fired = loop.createFuture();
                loop.callLater(Duration.ofMillis(1), () -> fired.complete(null));
                fired.await();
            }
        });
        assertThat(loop.statistics().timerLateness().count()).isEqualTo(5);
    }

    @Test
    void postsAreCountedAndThoseThatWakeTheLoopAreTimed() {
        try (var loop = EventLoop.create().start()) {
            for (int i = 1; i <= 20; i++) {
                int sent = i;
                loop.post(() -> {});
                Until.holds("it has come", () -> loop.statistics().posts() >= sent);
            }
            var statistics = loop.statistics();
            assertThat(statistics.wakeDelay().count()).isBetween(1L, statistics.posts());
            assertThat(statistics.pollsForEvents()).isPositive();
        }
    }

    @Test
    void eventsOfThePollAreCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var peer = Peers.client(listener.address(), socket -> {
                    for (int i = 0; i < 50; i++) {
                        socket.getOutputStream().write(i);
                        socket.getInputStream().read();
                    }
                    return null;
                });
                try (var connection = listener.accept()) {
                    connection.transferTo(connection);
                }
                loop.runInExecutor(peer::get).await();
            }
        });
        var statistics = loop.statistics();
        assertThat(statistics.events().total()).isGreaterThanOrEqualTo(51);
        assertThat(statistics.callbacks().count()).isEqualTo(statistics.events().count());
        assertThat(statistics.turns().count()).isEqualTo(statistics.polls().count());
    }

    @Test
    void withoutMetricsNothingIsCounted() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().metrics(false))) {
            loop.run(() -> loop.runInExecutor(() -> 1).await());
            assertThat(loop.statistics().turns().count()).isZero();
            assertThat(loop.statistics().calls()).isZero();
            assertThat(loop.statistics().busyShare()).isZero();
        }
    }

    @Test
    void loopsAddUp() throws Exception {
        try (var one = EventLoop.create();
                var other = EventLoop.create()) {
            one.run(() -> {});
            other.run(() -> {});
            LoopStatistics both = one.statistics().plus(other.statistics());
            assertThat(both.calls())
                    .isEqualTo(one.statistics().calls() + other.statistics().calls());
            assertThat(both.turns().count())
                    .isEqualTo(one.statistics().turns().count()
                            + other.statistics().turns().count());
        }
    }

    @Test
    void recordingAllocatesNothing() {
        var meter = new TurnMeter(true);
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 20_000; i++) {
            turn(meter);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            turn(meter);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
    }

    private static void turn(TurnMeter meter) {
        meter.readied();
        meter.posted(1, 1);
        meter.timerDue(1);
        meter.runs(2);
        meter.polls(5, true);
        meter.polled(1, System.nanoTime());
    }
}
