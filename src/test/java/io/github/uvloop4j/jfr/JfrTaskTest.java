package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskBody;
import io.github.uvloop4j.observe.LoopObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JfrTaskTest {
    private static EventLoop named(String name, LoopObserver... observers) {
        return EventLoop.create(LoopOptions.defaults().name(name).observe(observers));
    }

    private static RecordedEvent named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getString("name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among " + events));
    }

    private static void spin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Tag("cells")
    void aTaskIsRecordedFromItsMakingToItsEnd() throws Exception {
        var ids = new ArrayList<Long>();
        var loop = named("task's loop");
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                ids.add(Task.current().id());
                var child = loop.spawn("child", () -> {
                    Task.sleep(Duration.ofMillis(20));
                    return loop.spawn("grandchild", () -> {}).id();
                });
                ids.add(child.id());
                ids.add(child.await());
            });
            recorded.stop();
            var events = recorded.events(loop, "Task");
            assertThat(events).hasSize(3);
            var child = named(events, "child");
            assertThat(child.getLong("loopId")).isPositive();
            assertThat(child.getLong("taskId")).isEqualTo(ids.get(1));
            assertThat(child.getLong("parentId")).isEqualTo(ids.get(0));
            assertThat(child.getString("outcome")).isEqualTo("completed");
            assertThat(child.getString("error")).isNull();
            assertThat(child.getDuration("waited")).isPositive();
            assertThat(child.getDuration())
                    .isGreaterThan(child.getDuration("waited").plusMillis(19));
            assertThat(child.getStackTrace()).isNull();
            assertThat(named(events, "grandchild").getLong("parentId")).isEqualTo(ids.get(1));
            assertThat(named(events, "grandchild").getLong("taskId")).isEqualTo(ids.get(2));
            assertThat(named(events, "main").getLong("parentId")).isZero();
        }
    }

    @Test
    void aTaskSaysHowLongItWaitedForItsFirstStep() throws Exception {
        var loop = named("waiting");
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                var late = loop.spawn("late", () -> {});
                spin(Duration.ofMillis(50));
                late.await();
            });
            recorded.stop();
            assertThat(named(recorded.events(loop, "Task"), "late").getDuration("waited"))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    /** What a program throws. */
    private static final class Wordless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    @Tag("cells")
    void aTaskSaysHowItEnded() throws Exception {
        var reported = new ArrayList<Throwable>();
        var loop = named("ends");
        loop.exceptionHandler(context -> reported.add(context.exception()));
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                TaskBody fails = () -> {
                    throw new IllegalStateException("on purpose");
                };
                assertThatThrownBy(loop.spawn("failed", fails)::await).hasMessage("on purpose");
                TaskBody wordless = () -> {
                    throw new Wordless();
                };
                assertThatThrownBy(loop.spawn("wordless", wordless)::await).isInstanceOf(Wordless.class);
                var cancelled = loop.spawn("cancelled", () -> Task.sleep(Duration.ofDays(1)));
                var early = loop.spawn("never begun", () -> {});
                early.cancel();
                Task.sleep(Duration.ZERO);
                cancelled.cancel();
            });
            loop.close();
            recorded.stop();
            var events = recorded.events(loop, "Task");
            assertThat(named(events, "failed").getString("outcome")).isEqualTo("failed");
            assertThat(named(events, "failed").getString("error"))
                    .isEqualTo("java.lang.IllegalStateException: on purpose");
            assertThat(named(events, "wordless").getString("error")).isEqualTo(Wordless.class.getName());
            assertThat(named(events, "cancelled").getString("outcome")).isEqualTo("cancelled");
            assertThat(named(events, "cancelled").getString("error")).isNull();
            assertThat(named(events, "never begun").getString("outcome")).isEqualTo("cancelled");
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void aFailureThatOnlyTheRecorderSeesIsStillReported() throws Exception {
        var reported = new ArrayList<Throwable>();
        var loop = named("unseen");
        loop.exceptionHandler(context -> reported.add(context.exception()));
        try (var _ = Recorded.with();
                loop) {
            loop.run(() -> {
                loop.spawn("lonely", () -> {
                    throw new IllegalStateException("nobody awaits this");
                });
                Task.sleep(Duration.ofMillis(1));
            });
        }
        for (int i = 0; i < 100 && reported.isEmpty(); i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(reported).extracting(Throwable::getMessage).containsExactly("nobody awaits this");
    }

    @Test
    void aTaskThatWasCutShortByTheEndOfItsLoopIsRecorded() throws Exception {
        var loop = EventLoop.create(LoopOptions.defaults().name("cut short").closeTimeout(Duration.ZERO));
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                loop.spawn("stubborn", () -> {
                    while (true) {
                        try {
                            Task.sleep(Duration.ofDays(1));
                        } catch (CancellationException goesOn) {
                            // It never ends.
                        }
                    }
                });
                Task.sleep(Duration.ofMillis(1));
            });
            loop.close();
            recorded.stop();
            assertThat(named(recorded.events(loop, "Task"), "stubborn").getString("outcome"))
                    .isEqualTo("cancelled");
            assertThat(Recorded.pending()).isZero();
        }
    }

    @Test
    void aThreadOfTheLoopIsATaskAsWell() throws Exception {
        var loop = named("threads");
        try (var recorded = Recorded.with();
                loop) {
            var thread = loop.threadFactory().newThread(() -> {});
            thread.start();
            loop.run(() -> Task.sleep(Duration.ofMillis(1)));
            thread.join();
            var refused = loop.threadFactory().newThread(() -> {});
            loop.close();
            try {
                refused.start();
            } catch (RejectedExecutionException closed) {
                assertThat(loop.tasksRideOnLoop()).isTrue();
            }
            refused.join(Duration.ofSeconds(10));
            recorded.stop();
            assertThat(named(recorded.events(loop, "Task"), "thread-1").getString("outcome"))
                    .isEqualTo("completed");
            assertThat(Recorded.pending()).isZero();
        }
    }
}
