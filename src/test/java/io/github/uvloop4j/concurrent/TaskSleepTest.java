package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sleeping in a task, which never holds the loop up. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskSleepTest {
    private final ArrayList<String> order = new ArrayList<>();

    private TaskBody sleeping(Duration time, String name) {
        return () -> {
            Task.sleep(time);
            order.add(name);
        };
    }

    @Test
    @Tag("cells")
    void neverTooShort(EventLoop loop) throws Exception {
        var time = Duration.ofMillis(7);
        loop.run(() -> {
            for (int i = 0; i < 5; i++) {
                long start = System.nanoTime();
                Task.sleep(time);
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(time.toNanos());
            }
        });
    }

    @Test
    @Tag("cells")
    void theLoopGoesOnMeanwhile(EventLoop loop) throws Exception {
        loop.run(() -> {
            var sleeper = loop.spawn(sleeping(Duration.ofMillis(30), "awake"));
            int turns = 0;
            while (!sleeper.isDone()) {
                Turns.one();
                turns++;
            }
            assertThat(turns).isGreaterThan(3);
        });
        assertThat(order).containsExactly("awake");
    }

    @Test
    void equalTimesEndInTheOrderOfTheirStart(EventLoop loop) throws Exception {
        var names = new ArrayList<String>();
        loop.run(() -> TaskGroup.run(group -> {
            for (int i = 0; i < 50; i++) {
                names.add("sleeper " + i);
                group.spawn(sleeping(Duration.ofMillis(5), "sleeper " + i));
            }
        }));
        assertThat(order).isEqualTo(names);
    }

    @Test
    @Tag("cells")
    void zeroLetsAllThatIsReadyRunFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            loop.callSoon(() -> order.add("callback"));
            loop.spawn((TaskBody) () -> order.add("task"));
            Task.sleep(Duration.ZERO);
            order.add("sleeper");
        });
        assertThat(order).containsExactly("callback", "task", "sleeper");
    }

    @Test
    void twoThatYieldTakeTurns(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            for (var name : new String[] {"a", "b"}) {
                group.spawn(() -> {
                    for (int i = 0; i < 3; i++) {
                        order.add(name);
                        Task.sleep(Duration.ZERO);
                    }
                });
            }
        }));
        assertThat(order).containsExactly("a", "b", "a", "b", "a", "b");
    }

    @Test
    void lessThanZeroIsZero(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.sleep(Duration.ofNanos(-1));
            Task.sleep(Duration.ofSeconds(Long.MIN_VALUE));
        });
    }

    @Test
    @Tag("cells")
    void forEverCanBeCancelled(EventLoop loop) {
        for (var time : new Duration[] {Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE)}) {
            var task = loop.spawn(sleeping(time, "never"));
            Turns.some(loop);
            assertThat(task.isDone()).isFalse();
            task.cancel();
            Turns.some(loop);
            assertThat(task.isCancelled()).isTrue();
        }
        assertThat(order).isEmpty();
    }

    @Test
    void aCancelBeforeItMakesItThrow(EventLoop loop) {
        for (var time : new Duration[] {Duration.ZERO, Duration.ofDays(1)}) {
            var task = loop.spawn(() -> {
                Task.current().cancel();
                order.add("before");
                Task.sleep(time);
                order.add("after");
            });
            Turns.some(loop);
            assertThat(task.isCancelled()).isTrue();
        }
        assertThat(order).containsExactly("before", "before");
    }

    @Test
    void anUnparkDoesNotWakeIt(EventLoop loop) {
        var task = loop.spawn(sleeping(Duration.ofDays(1), "never"));
        Turns.some(loop);
        task.unpark();
        Turns.some(loop);
        assertThat(task.isDone()).isFalse();
        task.cancel();
        Turns.some(loop);
    }

    @Test
    void aSleepThatWasCutOffLeavesNoTimer(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(1)).run(limit -> Task.sleep(Duration.ofDays(1))))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            Turns.assertBalanced();
        });
        loop.runOnce();
        assertThat(loop.backendTimeout()).as("no timer is left").isEqualTo(-1);
    }

    @Test
    void outsideATaskItIsRefused(EventLoop loop) throws Exception {
        assertThatThrownBy(() -> Task.sleep(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sleep works in a task only");
        loop.run(() -> assertThatThrownBy(() -> Task.sleep(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("time"));
    }
}
