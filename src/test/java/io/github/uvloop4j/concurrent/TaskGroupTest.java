package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Groups whose children all succeed, in both forms. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupTest {
    private final ArrayList<String> order = new ArrayList<>();

    private TaskBody adding(int turns, String what) {
        return () -> {
            Turns.wait(turns);
            order.add(what);
        };
    }

    @Test
    @Tag("cells")
    void runWaitsForAllChildren(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(adding(3, "slow"));
                group.spawn(adding(1, "quick"));
                order.add("body");
            });
            order.add("after");
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("body", "quick", "slow", "after");
    }

    @Test
    @Tag("cells")
    void joinWaitsForAllChildren(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(adding(3, "slow"));
                group.spawn(adding(1, "quick"));
                order.add("body");
                group.join();
                order.add("joined");
            }
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("body", "quick", "slow", "joined");
    }

    @Test
    void callReturnsTheValueWhenAllHaveEnded(EventLoop loop) throws Exception {
        var value = loop.run(() -> TaskGroup.call(group -> {
            group.spawn(adding(3, "child"));
            return "value of the body";
        }));
        assertThat(value).isEqualTo("value of the body");
        assertThat(order).containsExactly("child");
    }

    @Test
    void callMayReturnNull(EventLoop loop) throws Exception {
        var value = loop.<Object>run(() -> TaskGroup.<Object>call(group -> {
            group.spawn(adding(1, "child"));
            return null;
        }));
        assertThat(value).isNull();
        assertThat(order).containsExactly("child");
    }

    @Test
    void noChildrenNoWaiting(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {});
            try (var group = TaskGroup.open()) {
                group.join();
            }
            try (var group = TaskGroup.open()) {
                assertThat(group.tasks()).isEmpty();
            }
            Turns.assertBalanced();
        });
    }

    @Test
    void childrenThatEndedBeforeTheJoinAreDone(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                var child = group.spawn(adding(1, "child"));
                Turns.wait(5);
                assertThat(child.isDone()).isTrue();
                assertThat(group.tasks()).isEmpty();
                group.join();
            }
        });
    }

    @Test
    void aGroupWhoseChildrenAllEndedNeedsNoJoin(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(adding(1, "child")).await();
            }
        });
        assertThat(order).containsExactly("child");
    }

    @Test
    void aChildIsTheFutureOfItsResult(EventLoop loop) throws Exception {
        var sum = loop.run(() -> TaskGroup.call(group -> {
            var one = group.spawn(() -> 1);
            var two = group.spawn(() -> {
                Turns.wait(2);
                return 2;
            });
            return one.await() + two.await();
        }));
        assertThat(sum).isEqualTo(3);
    }

    @Test
    void aChildMaySpawnWhileTheOwnerJoins(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> group.spawn(() -> {
                Turns.wait(2);
                group.spawn(adding(4, "grandchild"));
                order.add("child");
            }));
            order.add("after");
        });
        assertThat(order).containsExactly("child", "grandchild", "after");
    }

    @Test
    void aCallbackMaySpawnInTheTurnInWhichTheLastChildEnds(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                var last = group.spawn(adding(2, "child"));
                last.onDone(() -> group.spawn(adding(3, "late")));
            });
            order.add("after");
        });
        assertThat(order).containsExactly("child", "late", "after");
    }

    @Test
    void eachGroupMaySpawnAChainOfChildren(EventLoop loop) throws Exception {
        int length = 200;
        var ran = new AtomicInteger();
        loop.run(() -> TaskGroup.run(group -> chain(group, ran, length)));
        assertThat(ran).hasValue(length);
    }

    private static void chain(TaskGroup group, AtomicInteger ran, int left) {
        if (left > 0) {
            group.spawn(() -> {
                ran.incrementAndGet();
                chain(group, ran, left - 1);
            });
        }
    }

    @Test
    void tenThousandChildren(EventLoop loop) throws Exception {
        var ended = new AtomicInteger();
        loop.run(() -> {
            TaskGroup.run(group -> {
                for (int i = 0; i < 10_000; i++) {
                    group.spawn(() -> {
                        Turns.one();
                        ended.incrementAndGet();
                    });
                }
            });
            assertThat(ended).hasValue(10_000);
        });
    }

    @Test
    void tenThousandChildrenAreCancelled(EventLoop loop) throws Exception {
        var cancelled = new AtomicInteger();
        loop.run(() -> {
            TaskGroup.run(group -> {
                for (int i = 0; i < 10_000; i++) {
                    group.spawn(() -> {
                        try {
                            Turns.forever();
                        } catch (CancellationException e) {
                            cancelled.incrementAndGet();
                            throw e;
                        }
                    });
                }
                Turns.wait(3);
                group.cancel();
            });
            assertThat(cancelled).hasValue(10_000);
        });
    }

    @Test
    void nestedGroupsEndFromTheInside(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(outer -> {
                outer.spawn(adding(8, "outer child"));
                TaskGroup.run(inner -> inner.spawn(adding(4, "inner child")));
                order.add("inner ended");
            });
            order.add("outer ended");
        });
        assertThat(order).containsExactly("inner child", "inner ended", "outer child", "outer ended");
    }

    @Test
    void tasksAreThoseThatRun(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            var quick = group.spawn(adding(1, "quick"));
            var slow = group.spawn(adding(6, "slow"));
            assertThat(group.tasks()).containsExactly(quick, slow);
            quick.await();
            assertThat(group.tasks()).containsExactly(slow);
        }));
    }

    @Test
    void namesTellGroupAndNumber(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open("fetchers")) {
                assertThat(group.name()).isEqualTo("fetchers");
                assertThat(group.spawn(() -> 1).name()).isEqualTo("fetchers/1");
                assertThat(group.spawn(() -> 1).name()).isEqualTo("fetchers/2");
                assertThat(group.spawn("mine", () -> 1).name()).isEqualTo("mine");
                group.join();
            }
        });
    }

    @Test
    void stateIsTold(EventLoop loop) throws Exception {
        loop.run(() -> {
            var group = TaskGroup.open("g");
            try (group) {
                group.spawn(adding(1, "child"));
                assertThat(group).hasToString("TaskGroup g[open, 1 running, 0 failed]");
                assertThat(group.isCancelled()).isFalse();
                group.join();
            }
            assertThat(group).hasToString("TaskGroup g[ended, 0 running, 0 failed]");
            assertThat(group.failures()).isEmpty();
            assertThat(group.isCancelled()).isFalse();
        });
    }

    @Test
    void cancellingAnEndedGroupChangesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var group = TaskGroup.open();
            group.join();
            group.cancel();
            assertThat(group.isCancelled()).isFalse();
            group.close();
            Turns.assertBalanced();
        });
    }
}
