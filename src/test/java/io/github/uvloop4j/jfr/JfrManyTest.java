package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.observe.LoopObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JfrManyTest {
    private static final int LOOPS = 3;
    private static final int ROUNDS = 1_000;

    /** Tasks, and in between events of the loop's thread; with names that are new and too long to be written in place. */
    private static void rounds(EventLoop loop, LoopContext context) throws Exception {
        var observer = new JfrObserver();
        loop.run(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                var told = loop.createFuture();
                loop.callSoon(() -> {
                    observer.overslept(context, Duration.ofMillis(1), Duration.ofMillis(2));
                    told.complete(null);
                });
                loop.spawn(loop.options().name() + " task number " + i, () -> {})
                        .await();
                told.await();
            }
        });
    }

    @Test
    @Tag("cells")
    void noEventOfTasksAndLoopsThatWriteAtOnceIsLost() throws Exception {
        var loops = new ArrayList<EventLoop>();
        var threads = new ArrayList<Thread>();
        try (var recorded = Recorded.with()) {
            for (int i = 0; i < LOOPS; i++) {
                var context = new AtomicReference<LoopContext>();
                var loop = EventLoop.create(
                        LoopOptions.defaults().name("one of many loops " + i).observe(new LoopObserver() {
                            @Override
                            public void loopOpened(LoopContext opened) {
                                context.set(opened);
                            }
                        }));
                loops.add(loop);
                threads.add(Thread.ofPlatform().start(() -> {
                    try (loop) {
                        rounds(loop, context.get());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }));
            }
            for (var thread : threads) {
                thread.join();
            }
            recorded.stop();
            for (var loop : loops) {
                assertThat(recorded.events(loop, "Oversleep")).hasSizeGreaterThanOrEqualTo(ROUNDS);
                assertThat(names(recorded.events(loop, "Task")))
                        .hasSize(ROUNDS + 1)
                        .doesNotHaveDuplicates()
                        .contains("one of many loops " + loops.indexOf(loop) + " task number 0");
            }
        }
    }

    private static List<String> names(List<RecordedEvent> tasks) {
        return tasks.stream().map(task -> task.getString("name")).toList();
    }
}
