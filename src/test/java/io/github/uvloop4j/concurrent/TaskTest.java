package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskTest {
    @Test
    @Tag("cells")
    void isTheFutureOfItsResult(EventLoop loop) throws Exception {
        var task = loop.spawn(() -> "x");
        assertThat(task.isDone()).isFalse();
        assertThat(loop.runUntilComplete(task)).isEqualTo("x");
        assertThat(task.isDone()).isTrue();
        assertThat(task.result()).isEqualTo("x");
    }

    @Test
    void aBodyWithoutResultGivesNull(EventLoop loop) throws Exception {
        var ran = new boolean[1];
        assertThat(loop.runUntilComplete(loop.spawn(() -> {
                    ran[0] = true;
                })))
                .isNull();
        assertThat(ran[0]).isTrue();
    }

    @Test
    @Tag("cells")
    void failsWithWhatItsBodyThrows(EventLoop loop) {
        var failure = new IOException("broken");
        Callable<String> body = () -> {
            throw failure;
        };
        var task = loop.spawn(body);
        assertThatThrownBy(() -> loop.runUntilComplete(task)).isSameAs(failure);
        assertThat(task.isCompletedExceptionally()).isTrue();
        assertThat(task.isCancelled()).isFalse();
    }

    @Test
    void survivesAStackOverflow(EventLoop loop) {
        Callable<Integer> body = () -> deeper(0);
        var task = loop.spawn(body);
        assertThatThrownBy(() -> loop.runUntilComplete(task)).isInstanceOf(StackOverflowError.class);
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    @Test
    void doesNotStartBeforeTheNextTurn(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            var task = loop.spawn(() -> {
                order.add("task");
            });
            order.add("spawned");
            task.await();
        });
        assertThat(order).containsExactly("spawned", "task");
    }

    @Test
    void startsInTheOrderOfSpawning(EventLoop loop) throws Exception {
        var order = new ArrayList<Integer>();
        loop.run(() -> {
            var tasks = new ArrayList<Task<?>>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                tasks.add(loop.spawn(() -> {
                    order.add(number);
                }));
            }
            for (var task : tasks) {
                task.await();
            }
        });
        assertThat(order).hasSize(20).isSorted();
    }

    @Test
    void canBeSpawnedBeforeTheLoopRuns(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.spawn(() -> {
            order.add("early");
        });
        loop.run(() -> {
            order.add("main");
        });
        assertThat(order).containsExactlyInAnyOrder("early", "main");
    }

    @Test
    void runsOnAVirtualThreadWithItsName(EventLoop loop) throws Exception {
        var task = loop.spawn("reader", () -> Thread.currentThread());
        var thread = loop.runUntilComplete(task);
        assertThat(thread.isVirtual()).isTrue();
        assertThat(thread.getName()).isEqualTo("uvloop4j/reader");
        assertThat(thread).isSameAs(task.thread());
        assertThat(task.name()).isEqualTo("reader");
        assertThat(task).asString().contains("reader").contains("done");
    }

    @Test
    void getsANameOfItsOwn(EventLoop loop) throws Exception {
        var first = loop.spawn(() -> 1);
        var second = loop.spawn(() -> 2);
        assertThat(first.name()).isNotEmpty().isNotEqualTo(second.name());
        loop.runUntilComplete(second);
        loop.runUntilComplete(first);
    }

    @Test
    void refusesNulls(EventLoop loop) {
        assertThatThrownBy(() -> loop.spawn(null, () -> 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.spawn("x", (Callable<String>) null)).isInstanceOf(NullPointerException.class);
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    void knowsItself(EventLoop loop) throws Exception {
        var seen = new ArrayList<Task<?>>();
        var task = loop.spawn(() -> {
            seen.add(Task.current());
            seen.add(loop.currentTask());
            return EventLoop.current();
        });
        assertThat(loop.runUntilComplete(task)).isSameAs(loop);
        assertThat(seen).hasSize(2).containsOnly(task);
        assertThat(Task.current()).isNull();
        assertThat(loop.currentTask()).isNull();
    }

    @Test
    void isNotCurrentInACallbackOrOnAnotherThread(EventLoop loop) throws Exception {
        var inCallback = new AtomicReference<Object>("unset");
        var elsewhere = new AtomicReference<Object>("unset");
        loop.run(() -> {
            var done = loop.<String>createFuture();
            loop.callSoon(() -> {
                inCallback.set(Task.current());
                done.complete("x");
            });
            done.await();
            loop.runInExecutor(() -> {
                        elsewhere.set(loop.currentTask());
                        return null;
                    })
                    .await();
        });
        assertThat(inCallback.get()).isNull();
        assertThat(elsewhere.get()).isNull();
    }

    @Test
    void isCountedUntilItEnds(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        loop.runOnce();
        assertThat(loop.taskCount()).isEqualTo(1);
        gate.complete("x");
        loop.runUntilComplete(task);
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    void cannotBeCompletedFromOutside(EventLoop loop) throws Exception {
        var task = loop.spawn(() -> "x");
        assertThatThrownBy(() -> task.complete("y")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> task.completeExceptionally(new IOException()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(loop.runUntilComplete(task)).isEqualTo("x");
    }

    @Test
    @Tag("cells")
    void tasksOfALoopNeverRunAtTheSameTime(EventLoop loop) throws Exception {
        var inside = new int[1];
        var most = new int[1];
        loop.run(() -> {
            var tasks = new ArrayList<Task<?>>();
            for (int i = 0; i < 50; i++) {
                tasks.add(loop.spawn(() -> {
                    for (int round = 0; round < 50; round++) {
                        inside[0]++;
                        most[0] = Math.max(most[0], inside[0]);
                        Thread.onSpinWait();
                        inside[0]--;
                        loop.runInExecutor(() -> 1).await();
                    }
                }));
            }
            for (var task : tasks) {
                task.await();
            }
        });
        assertThat(most[0]).isEqualTo(1);
    }

    /** Lets everything run that is ready now. */
    private static void pauseOnce(EventLoop loop) throws Exception {
        for (int i = 0; i < 3; i++) {
            var turn = loop.<String>createFuture();
            loop.callSoon(() -> turn.complete("x"));
            turn.await();
        }
    }

    @Test
    void hasThreadLocalsOfItsOwn(EventLoop loop) throws Exception {
        var local = ThreadLocal.withInitial(() -> 0);
        var values = new ArrayList<Integer>();
        loop.run(() -> {
            var tasks = new ArrayList<Task<?>>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                tasks.add(loop.spawn(() -> {
                    local.set(number);
                    pauseOnce(loop);
                    values.add(local.get());
                }));
            }
            for (var task : tasks) {
                task.await();
            }
        });
        assertThat(values).containsExactly(0, 1, 2);
    }
}
