package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.WorkKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JfrLoopTest {
    private static EventLoop named(String name) {
        return EventLoop.create(LoopOptions.defaults().name(name));
    }

    private static void work(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var here = loop.net().openConnection("127.0.0.1", listener.port());
                    var there = listener.accept()) {
                here.write("question\n");
                there.readLine();
                loop.runInExecutor(() -> 1).await();
                Task.sleep(Duration.ofMillis(2));
            }
        });
    }

    @Test
    @Tag("cells")
    void aClosedLoopLeavesItsLastStatistics() throws Exception {
        var loop = named("statistics");
        try (var recorded = Recorded.with("uvloop4j.Loop#period=1 h")) {
            work(loop);
            loop.close();
            recorded.stop();
            var states = recorded.events(loop, "Loop");
            assertThat(states).hasSize(1);
            holds(states.getFirst(), loop.statistics());
            assertThat(states.getFirst().getBoolean("running")).isTrue();
            assertThat(states.getFirst().getString("tasksRide"))
                    .isEqualTo(loop.tasksRideOnLoop() ? "carrier" : "baton");
            assertThat(states.getFirst().getStackTrace()).isNull();
        }
    }

    private static void holds(RecordedEvent state, LoopStatistics statistics) {
        assertThat(state.getLong("turns")).isEqualTo(statistics.turns().count());
        assertThat(state.getDuration("busy")).hasNanos(statistics.turns().total());
        assertThat(state.getDuration("polled")).hasNanos(statistics.polls().total());
        assertThat(state.getLong("calls")).isEqualTo(statistics.calls());
        assertThat(state.getLong("posts")).isEqualTo(statistics.posts()).isPositive();
        assertThat(state.getLong("pollsForReady")).isEqualTo(statistics.pollsForReady());
        assertThat(state.getLong("pollsForTimers")).isEqualTo(statistics.pollsForTimers());
        assertThat(state.getLong("pollsForEvents")).isEqualTo(statistics.pollsForEvents());
        assertThat(state.getLong("events"))
                .isEqualTo(statistics.events().total())
                .isPositive();
        assertThat(state.getInt("tasks")).isEqualTo(statistics.tasks());
        assertThat(state.getLong("tasksMade")).isEqualTo(statistics.tasksMade()).isPositive();
        assertThat(state.getLong("offloaded")).isEqualTo(statistics.offloaded()).isEqualTo(1);
        assertThat(state.getInt("connections")).isEqualTo(statistics.io().open());
        assertThat(state.getLong("accepted"))
                .isEqualTo(statistics.io().accepted())
                .isEqualTo(1);
        assertThat(state.getLong("bytesReceived"))
                .isEqualTo(statistics.io().bytesReceived())
                .isEqualTo(9);
        assertThat(state.getLong("bytesSent"))
                .isEqualTo(statistics.io().bytesSent())
                .isEqualTo(9);
        assertThat(state.getLong("pauses")).isEqualTo(statistics.io().pauses());
        assertThat(state.getLong("oversleeps"))
                .isEqualTo(statistics.oversleeps().count());
        assertThat(state.getDuration("overslept"))
                .hasNanos(statistics.oversleeps().total());
        decodes(state, "turn", statistics.turns());
        decodes(state, "poll", statistics.polls());
        decodes(state, "readyDelay", statistics.readyDelay());
        decodes(state, "wakeDelay", statistics.wakeDelay());
        decodes(state, "timerLateness", statistics.timerLateness());
        var fields = List.of(
                "callTime",
                "timerTime",
                "stepTime",
                "readTime",
                "acceptTime",
                "requestTime",
                "pollTime",
                "watcherTime");
        for (var kind : WorkKind.values()) {
            assertThat(state.getDuration(fields.get(kind.ordinal())))
                    .as(kind.name())
                    .hasNanos(statistics.kind(kind).total());
        }
    }

    private static void decodes(RecordedEvent state, String what, Histogram histogram) {
        long max = state.getDuration(what + "Max").toNanos();
        assertThat(Histogram.decoded(state.getString(what + "Histogram"), max))
                .as(what)
                .isEqualTo(histogram);
    }

    @Test
    void whileALoopRunsItsThreadIsTold() throws Exception {
        var states = new CompletableFuture<RecordedEvent>();
        try (var loop = named("running").start();
                var stream = new RecordingStream()) {
            stream.enable("uvloop4j.Loop").withPeriod(Duration.ofMillis(50));
            stream.onEvent("uvloop4j.Loop", event -> {
                if (event.getString("loop").equals("running")) {
                    states.complete(event);
                }
            });
            stream.startAsync();
            var place = new CompletableFuture<List<Object>>();
            loop.post(() -> place.complete(
                    List.of(Affinity.threadId(), Affinity.current().toString())));
            var state = states.get(30, TimeUnit.SECONDS);
            assertThat(state.getBoolean("running")).isTrue();
            assertThat(state.getThread("thread").getJavaName()).isEqualTo("running");
            assertThat(List.<Object>of(state.getLong("threadId"), state.getString("cpus")))
                    .isEqualTo(place.get(30, TimeUnit.SECONDS));
            assertThat(state.getString("handles")).contains("async=1", "timer=1");
        }
    }

    @Test
    void aLoopThatRestsHasNoThread() throws Exception {
        try (var loop = named("resting");
                var recorded = Recorded.with("uvloop4j.Loop#period=everyChunk")) {
            loop.run(() -> {});
            recorded.stop();
            assertThat(recorded.events(loop, "Loop")).isNotEmpty().allSatisfy(state -> {
                assertThat(state.getBoolean("running")).isFalse();
                assertThat(state.getThread("thread")).isNull();
                assertThat(state.getLong("threadId")).isZero();
                assertThat(state.getString("cpus")).isEmpty();
            });
        }
    }

    @Test
    @Tag("cells")
    void twoLoopsAreToldApart() throws Exception {
        try (var recorded = Recorded.with("uvloop4j.Loop#period=1 h")) {
            var first = named("twin");
            var second = named("twin");
            first.close();
            second.close();
            recorded.stop();
            var opened = recorded.events(first, "LoopOpened");
            var closed = recorded.events(first, "LoopClosed");
            var ids = opened.stream().map(event -> event.getLong("loopId")).toList();
            assertThat(ids).hasSize(2).doesNotHaveDuplicates().isSorted();
            assertThat(closed).extracting(event -> event.getLong("loopId")).containsExactlyElementsOf(ids);
            assertThat(recorded.events(first, "Loop"))
                    .extracting(event -> event.getLong("loopId"))
                    .containsExactlyElementsOf(ids);
        }
    }

    private static void spin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Turns that are long, each between steps of tasks. */
    private static void longTurns(EventLoop loop, Duration... times) throws Exception {
        loop.run(() -> {
            for (var time : times) {
                var done = loop.createFuture();
                loop.callSoon(() -> {
                    spin(time);
                    done.complete(null);
                });
                done.await();
            }
        });
    }

    @Test
    @Tag("cells")
    void eachLongTurnIsRecorded() throws Exception {
        var loop = named("long turns");
        try (var recorded = Recorded.with();
                loop) {
            longTurns(loop, Duration.ofMillis(40), Duration.ofMillis(40), Duration.ofMillis(40));
            recorded.stop();
            var turns = recorded.events(loop, "Turn").stream()
                    .filter(turn -> turn.getDuration("busy").compareTo(Duration.ofMillis(40)) >= 0)
                    .toList();
            assertThat(turns).hasSizeGreaterThanOrEqualTo(3).allSatisfy(turn -> {
                assertThat(turn.getDuration("busy"))
                        .isEqualTo(turn.getDuration("ready").plus(turn.getDuration("callbacks")));
                assertThat(turn.getInt("events")).isNotNegative();
                assertThat(turn.getLong("loopId")).isPositive();
                assertThat(turn.getDuration()).isZero();
                assertThat(turn.getStackTrace()).isNull();
            });
            assertThat(turns.getLast().getInt("calls")).isPositive();
        }
    }

    @Test
    void shortTurnsCanBeLeftOut() throws Exception {
        var loop = named("some turns");
        try (var recorded = Recorded.with("uvloop4j.Turn#busy=150 ms");
                loop) {
            longTurns(loop, Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(20));
            recorded.stop();
            assertThat(recorded.events(loop, "Turn"))
                    .isNotEmpty()
                    .allMatch(turn -> turn.getDuration("busy").toMillis() >= 150);
        }
    }

    private static void heldUp(CountDownLatch seen) {
        try {
            seen.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStallIsRecordedWithTheMethodThatKeepsTheLoop() throws Exception {
        var seen = new CountDownLatch(1);
        var stall = new CompletableFuture<RecordedEvent>();
        var over = new CompletableFuture<RecordedEvent>();
        var options = LoopOptions.defaults().name("stalled").debug(true).stallLimit(Duration.ofMillis(30));
        try (var stream = new RecordingStream();
                var loop = EventLoop.create(options)) {
            loop.stallHandler(told -> {});
            stream.onEvent("uvloop4j.Stall", event -> {
                if (event.getString("loop").equals("stalled")) {
                    stall.complete(event);
                    seen.countDown();
                }
            });
            stream.onEvent("uvloop4j.StallOver", event -> {
                if (event.getString("loop").equals("stalled")) {
                    over.complete(event);
                }
            });
            stream.startAsync();
            loop.callSoon(() -> heldUp(seen));
            loop.callSoon(loop::stop);
            loop.runForever();
            var event = stall.get(1, TimeUnit.SECONDS);
            var end = over.get(30, TimeUnit.SECONDS);
            assertThat(end.getString("what")).isEqualTo(event.getString("what"));
            assertThat(end.getDuration("lasted")).isGreaterThanOrEqualTo(event.getDuration("lasted"));
            assertThat(event.getString("what")).contains("JfrLoopTest");
            assertThat(event.getDuration("lasted")).isGreaterThanOrEqualTo(Duration.ofMillis(30));
            assertThat(event.getString("stack").lines())
                    .hasSizeLessThanOrEqualTo(64)
                    .anyMatch(line -> line.matches(".*JfrLoopTest\\.heldUp\\(JfrLoopTest\\.java:\\d+\\)"));
            assertThat(event.getString("created")).contains("aStallIsRecordedWithTheMethodThatKeepsTheLoop");
            assertThat(event.getStackTrace()).isNull();
        }
    }
}
