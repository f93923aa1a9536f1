package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.observe.StallInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When recordings begin and end, and what is told by others than a loop of the test. */
@Timeout(60)
class JfrObserverTest {
    /** Knows the loop as observers do. */
    private static final class Knows implements LoopObserver {
        final AtomicReference<LoopContext> loop = new AtomicReference<>();

        @Override
        public void loopOpened(LoopContext opened) {
            loop.set(opened);
        }
    }

    private static EventLoop named(String name, LoopObserver... observers) {
        return EventLoop.create(LoopOptions.defaults().name(name).observe(observers));
    }

    private static StallInfo deepStall() {
        var where = new Throwable("it is here", new Throwable("made here"));
        var frame = where.getStackTrace()[0];
        var frames = new StackTraceElement[200];
        Arrays.fill(frames, frame);
        frames[1] = new StackTraceElement("a.B", "nativeCall", "B.java", -2);
        frames[2] = new StackTraceElement("loader", "module", "1", "a.B", "call", null, -1);
        frames[3] = new StackTraceElement("loader", "module", "1", "a.B", "call", "B.java", -1);
        where.setStackTrace(frames);
        return new StallInfo("a call", Duration.ofMillis(120), where);
    }

    @Test
    void whatTheWatchAndTheMeterTellIsWritten() throws Exception {
        var knows = new Knows();
        var loop = named("told", knows);
        var observer = new JfrObserver();
        try (var recorded = Recorded.with();
                loop) {
            observer.overslept(knows.loop.get(), Duration.ofMillis(5), Duration.ofMillis(9));
            observer.stalled(knows.loop.get(), deepStall());
            observer.stallOver(knows.loop.get(), deepStall(), Duration.ofMillis(300));
            recorded.stop();
            var id = knows.loop.get().view().id();
            assertThat(recorded.events(loop, "Oversleep")).singleElement().satisfies(event -> {
                assertThat(event.getDuration("limit")).hasMillis(5);
                assertThat(event.getDuration("took")).hasMillis(9);
                assertThat(event.getLong("loopId")).isEqualTo(id);
            });
            assertThat(recorded.events(loop, "Stall")).singleElement().satisfies(event -> {
                assertThat(event.getString("what")).isEqualTo("a call");
                assertThat(event.getDuration("lasted")).hasMillis(120);
                assertThat(event.getString("stack").lines()).hasSize(64);
                assertThat(event.getString("stack").lines().limit(4))
                        .satisfiesExactly(
                                line -> assertThat(line)
                                        .matches(
                                                "io\\.github\\.uvloop4j\\.jfr\\.JfrObserverTest\\.deepStall\\(JfrObserverTest\\.java:\\d+\\)"),
                                line -> assertThat(line).isEqualTo("a.B.nativeCall(Native Method)"),
                                line -> assertThat(line).isEqualTo("a.B.call(Unknown Source)"),
                                line -> assertThat(line).isEqualTo("a.B.call(B.java)"));
                assertThat(event.getString("created")).contains("deepStall");
                assertThat(event.getLong("loopId")).isEqualTo(id);
            });
            assertThat(recorded.events(loop, "StallOver")).singleElement().satisfies(event -> {
                assertThat(event.getString("what")).isEqualTo("a call");
                assertThat(event.getDuration("lasted")).hasMillis(300);
                assertThat(event.getLong("loopId")).isEqualTo(id);
            });
        }
    }

    @Test
    void aStallWithoutAPlaceOfCreationHasNone() throws Exception {
        var knows = new Knows();
        var loop = named("uncreated", knows);
        try (var recorded = Recorded.with();
                loop) {
            new JfrObserver()
                    .stalled(
                            knows.loop.get(),
                            new StallInfo("a call", Duration.ofMillis(1), new Throwable("it is here")));
            recorded.stop();
            assertThat(recorded.events(loop, "Stall"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getString("created")).isNull());
        }
    }

    /** Runs a loop with tasks and a connection under way, and looks then. */
    private static void underWay(EventLoop loop, Runnable look) throws Exception {
        loop.run(() -> {
            var sleeper = loop.spawn("sleeper", () -> Task.sleep(Duration.ofDays(1)));
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var here = loop.net().openConnection("127.0.0.1", listener.port());
                    var there = listener.accept()) {
                here.write("x\n");
                there.readLine();
                look.run();
            }
            sleeper.cancel();
        });
    }

    @Test
    void withoutARecordingNothingIsKept() throws Exception {
        var pending = new ArrayList<Integer>();
        try (var loop = named("unrecorded")) {
            underWay(loop, () -> pending.add(Recorded.pending()));
        }
        Recorded.with().close();
        try (var loop = named("unrecorded since")) {
            underWay(loop, () -> pending.add(Recorded.pending()));
        }
        assertThat(pending).containsExactly(0, 0);
    }

    @Test
    void whatIsSwitchedOffIsNotKept() throws Exception {
        var pending = new ArrayList<Integer>();
        var loop = named("switched off");
        try (var recorded = Recorded.with("uvloop4j.Task#enabled=false", "uvloop4j.Connection#enabled=false");
                loop) {
            underWay(loop, () -> pending.add(Recorded.pending()));
            recorded.stop();
            assertThat(recorded.events(loop, "Task")).isEmpty();
            assertThat(recorded.events(loop, "Connection")).isEmpty();
            assertThat(recorded.events(loop, "Accept")).hasSize(1);
        }
        assertThat(pending).containsExactly(0);
    }

    @Test
    void aRecordingThatBeginsLaterHasWhatBeginsSince() throws Exception {
        var loop = named("begun later");
        var recorded = new AtomicReference<Recorded>();
        try (loop) {
            underWay(loop, () -> {
                recorded.set(Recorded.with());
                loop.spawn("late", () -> {});
            });
            loop.close();
        }
        try (var recording = recorded.get()) {
            recording.stop();
            assertThat(recording.events(loop, "Task"))
                    .extracting(event -> event.getString("name"))
                    .containsExactly("late");
            assertThat(recording.events(loop, "Connection")).isEmpty();
            assertThat(recording.events(loop, "LoopClosed")).hasSize(1);
            assertThat(Recorded.pending()).isZero();
        }
    }

    @Test
    void aRecordingThatStopsInBetweenLeavesNothingBehind() throws Exception {
        var pending = new ArrayList<Integer>();
        var loop = named("stopped in between");
        try (var recorded = Recorded.with();
                loop) {
            underWay(loop, () -> {
                pending.add(Recorded.pending());
                recorded.stop();
            });
            loop.close();
            pending.add(Recorded.pending());
            assertThat(recorded.events(loop, "Task")).isEmpty();
        }
        assertThat(pending.getFirst()).isGreaterThanOrEqualTo(4);
        assertThat(pending.getLast()).isZero();
    }

    @Test
    void anotherObserverThatFailsTakesNothingAway() throws Exception {
        var reported = new ArrayList<Throwable>();
        var loop = named("beside a broken one", new LoopObserver() {
            @Override
            public void taskMade(Task<?> task) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void connectionClosed(ConnectionLife connection, Throwable cause) {
                throw new IllegalStateException("broken");
            }
        });
        loop.exceptionHandler(context -> reported.add(context.exception()));
        try (var recorded = Recorded.with();
                loop) {
            underWay(loop, () -> {});
            loop.close();
            recorded.stop();
            assertThat(recorded.events(loop, "Task")).hasSize(2);
            assertThat(recorded.events(loop, "Connection")).hasSize(2);
        }
        assertThat(reported).isNotEmpty().allMatch(error -> "broken".equals(error.getMessage()));
    }

    @Test
    void aLeastTimeIsReadAsTheRecordersThresholdsAre() {
        assertThat(LeastTime.nanos("0 ns")).isZero();
        assertThat(LeastTime.nanos("15ms")).isEqualTo(15_000_000);
        assertThat(LeastTime.nanos(" 3 us ")).isEqualTo(3_000);
        assertThat(LeastTime.nanos("2 s")).isEqualTo(2_000_000_000L);
        assertThat(LeastTime.nanos("1 m")).isEqualTo(60_000_000_000L);
        assertThat(LeastTime.nanos("1 h")).isEqualTo(3_600_000_000_000L);
        assertThat(LeastTime.nanos("1 d")).isEqualTo(86_400_000_000_000L);
        assertThat(LeastTime.nanos("soon")).isZero();
        var least = new LeastTime();
        least.setValue(least.combine(java.util.Set.of("20 ms", "5 ms", "1 s")));
        assertThat(least.getValue()).isEqualTo("5 ms");
        assertThat(least.isReachedBy(4_999_999)).isFalse();
        assertThat(least.isReachedBy(5_000_000)).isTrue();
    }
}
