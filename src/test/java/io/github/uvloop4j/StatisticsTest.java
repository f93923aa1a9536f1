package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.WorkKind;
import io.github.uvloop4j.observe.Observers;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Until;
import io.github.uvloop4j.uv.UvLoop;
import java.time.Duration;
import java.util.List;
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
    void whatConnectionsCarryIsCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var peer = Peers.client(listener.address(), socket -> {
                    socket.getOutputStream().write(new byte[10_000]);
                    return socket.getInputStream().readNBytes(1_000_000).length;
                });
                try (var connection = listener.accept()) {
                    connection.readExactly(10_000);
                    assertThat(loop.statistics().io().open()).isEqualTo(1);
                    connection.write(java.nio.ByteBuffer.wrap(new byte[400_000]));
                    connection.write(java.nio.ByteBuffer.allocateDirect(599_999));
                    connection.write(java.nio.ByteBuffer.allocate(1));
                    connection.flush();
                    assertThat(loop.runInExecutor(peer::get).await()).isEqualTo(1_000_000);
                }
            }
        });
        var io = loop.statistics().io();
        assertThat(io.bytesReceived()).isEqualTo(10_000);
        assertThat(io.bytesSent()).isEqualTo(1_000_000);
        assertThat(io.opened()).isEqualTo(1);
        assertThat(io.accepted()).isEqualTo(1);
        assertThat(io.open()).isZero();
    }

    @Test
    void aWriterThatIsToldToWaitIsCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var drain = new java.util.concurrent.CountDownLatch(1);
                var peer = Peers.client(listener.address(), socket -> {
                    drain.await();
                    return socket.getInputStream().readAllBytes().length;
                });
                try (var connection = listener.accept()) {
                    var writer = loop.spawn(() -> connection.write(java.nio.ByteBuffer.allocate(60_000_000)));
                    Task.sleep(Duration.ofMillis(1));
                    assertThat(loop.statistics().io().pauses()).isEqualTo(1);
                    drain.countDown();
                    writer.await();
                }
                assertThat(loop.runInExecutor(peer::get).await()).isEqualTo(60_000_000);
            }
        });
        assertThat(loop.statistics().io().bytesSent()).isEqualTo(60_000_000);
    }

    @Test
    void timeIsToldByKind(EventLoop loop) throws Exception {
        long some = TimeUnit.MILLISECONDS.toNanos(20);
        loop.run(() -> {
            for (long end = System.nanoTime() + some; System.nanoTime() - end < 0; ) {
                // Parking would be no step.
                Thread.onSpinWait();
            }
            var timed = loop.createFuture();
            loop.callLater(Duration.ofMillis(1), () -> {
                block(2 * some);
                timed.complete(null);
            });
            timed.await();
            var called = loop.createFuture();
            loop.callSoon(() -> {
                block(3 * some);
                called.complete(null);
            });
            called.await();
        });
        var statistics = loop.statistics();
        assertThat(statistics.kind(WorkKind.STEP).max()).isGreaterThanOrEqualTo(some);
        assertThat(statistics.kind(WorkKind.TIMER).max()).isGreaterThanOrEqualTo(2 * some);
        assertThat(statistics.kind(WorkKind.CALL).max()).isGreaterThanOrEqualTo(3 * some);
        assertThat(statistics.ready().total())
                .isGreaterThanOrEqualTo(statistics.kinds().values().stream()
                        .filter(kind -> !kind.equals(statistics.kind(WorkKind.WATCHER)))
                        .mapToLong(Histogram::total)
                        .sum());
    }

    @Test
    void timeOfEventsIsToldByKind(EventLoop loop) throws Exception {
        loop.run(() -> {
            var done = loop.<Boolean>createFuture();
            try (var server = loop.net()
                    .createServer(
                            () -> (io.github.uvloop4j.net.Protocol) data -> {
                                block(TimeUnit.MILLISECONDS.toNanos(30));
                                done.complete(true);
                            },
                            "127.0.0.1",
                            0)
                    .await()) {
                var peer = Peers.client(server.addresses().getFirst(), socket -> {
                    socket.getOutputStream().write(1);
                    return socket.getInputStream().read();
                });
                done.await();
                server.closeClients();
                loop.runInExecutor(peer::get).await();
            }
        });
        var statistics = loop.statistics();
        assertThat(statistics.kind(WorkKind.READ).max()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
        assertThat(statistics.kind(WorkKind.ACCEPT).count()).isPositive();
        assertThat(statistics.kind(WorkKind.READ).total())
                .isLessThanOrEqualTo(statistics.callbacks().total());
    }

    @Test
    void handlesTasksAndOffloadedCallsAreCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            var before = loop.statistics();
            var gate = new java.util.concurrent.CountDownLatch(1);
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                assertThat(loop.statistics().handles()).containsEntry("poll", 1).containsKeys("async", "timer");
                assertThat(listener.port()).isPositive();
            }
            loop.spawn(() -> {}).await();
            var waiting = loop.runInExecutor(() -> {
                gate.await();
                return 1;
            });
            assertThat(loop.statistics().offloading()).isEqualTo(1);
            gate.countDown();
            waiting.await();
            var since = loop.statistics().since(before);
            assertThat(since.tasksMade()).isEqualTo(1);
            assertThat(since.tasks()).isEqualTo(1);
            assertThat(since.offloaded()).isEqualTo(1);
        });
        Until.holds("it has ended", () -> loop.statistics().offloading() == 0);
        assertThat(loop.statistics().handles()).doesNotContainKey("poll");
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
    void recordingAllocatesNothing(EventLoop own) {
        var uv = UvLoop.create();
        var driver = uv.drive(new Idle());
        var meter = new TurnMeter(true, driver, new Observers(contextOf(own), List.of()));
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        Runnable call = () -> {};
        for (int i = 0; i < 20_000; i++) {
            turn(meter, call);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            turn(meter, call);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
        driver.close();
    }

    private static LoopContext contextOf(EventLoop loop) {
        return LoopRegistry.all().stream()
                .filter(each -> each.toString().equals(loop.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static void turn(TurnMeter meter, Runnable call) {
        meter.readied();
        meter.posted(1, 1);
        meter.timerDue(1);
        meter.runs(2);
        meter.begins(call);
        meter.begins(call);
        meter.polls(5, true);
        meter.polled();
    }

    private static final class Idle implements UvLoop.Host {
        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void callbackFailed(Throwable thrown) {
            throw new AssertionError(thrown);
        }

        @Override
        public boolean hasWork() {
            return false;
        }
    }
}
