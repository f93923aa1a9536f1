package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link TaskGroup#cancel}: the group ends early, without a failure. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupOwnCancelTest {
    private final ArrayList<String> order = new ArrayList<>();

    private TaskBody noting(String what) {
        return () -> {
            try {
                Turns.forever();
            } catch (CancellationException e) {
                order.add(what + " cancelled");
                throw e;
            }
        };
    }

    @Test
    @Tag("cells")
    void fromTheBodyCutsItOffAtTheNextAwait(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(noting("child"));
                Turns.wait(2);
                group.cancel();
                assertThat(group.isCancelled()).isTrue();
                order.add("goes on");
                noting("body").run();
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactlyInAnyOrder("goes on", "body cancelled", "child cancelled");
    }

    @Test
    void fromAChildEndsAll(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(noting("sibling"));
                group.spawn(() -> {
                    Turns.wait(2);
                    group.cancel();
                    noting("canceller").run();
                });
                noting("body").run();
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactlyInAnyOrder("sibling cancelled", "canceller cancelled", "body cancelled");
    }

    @Test
    void fromACallbackEndsAll(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(noting("child"));
                Turns.later(loop, 4, group::cancel);
                noting("body").run();
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactlyInAnyOrder("body cancelled", "child cancelled");
    }

    @Test
    void ofAnOpenGroupEndsItsChildrenOnly(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(noting("child"));
                Turns.wait(2);
                group.cancel();
                Turns.wait(4);
                order.add("body goes on");
                group.join();
            }
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child cancelled", "body goes on");
    }

    @Test
    void ofAnOpenGroupEndsItsJoin(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(noting("child"));
                Turns.later(loop, 4, group::cancel);
                group.join();
            }
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void withoutAJoinIsNoMistake(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(noting("child"));
                Turns.wait(2);
                group.cancel();
            }
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void leavesCallWithoutAValue(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.call(group -> {
                        group.cancel();
                        Turns.one();
                        return "value";
                    }))
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("was cancelled");
            Turns.assertBalanced();
        });
    }

    @Test
    void afterTheBodyHasItsValueLeavesIt(EventLoop loop) throws Exception {
        var value = loop.run(() -> {
            var result = TaskGroup.call(group -> {
                group.spawn(noting("child"));
                Turns.wait(2);
                group.cancel();
                return "value";
            });
            Turns.assertBalanced();
            return result;
        });
        assertThat(value).isEqualTo("value");
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void whileItWaitsForChildrenLeavesTheValue(EventLoop loop) throws Exception {
        var value = loop.run(() -> TaskGroup.call(group -> {
            group.spawn(noting("child"));
            Turns.later(loop, 4, group::cancel);
            return "value";
        }));
        assertThat(value).isEqualTo("value");
    }

    @Test
    void beforeAnyChildStartsNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.cancel();
                var child = group.spawn(() -> order.add("started"));
                assertThat(child.cancelling()).isEqualTo(1);
            });
            Turns.assertBalanced();
        });
        assertThat(order).isEmpty();
    }

    @Test
    void ofAChildThatHasNotStartedKeepsItFromStarting(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            group.spawn(() -> order.add("started"));
            group.cancel();
        }));
        assertThat(order).isEmpty();
    }

    @Test
    void twiceIsOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(() -> {
                    try {
                        Turns.forever();
                    } finally {
                        Turns.wait(6);
                        order.add("cleaned up");
                    }
                });
                Turns.wait(2);
                group.cancel();
                group.cancel();
                Turns.later(loop, 3, group::cancel);
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    void doesNotSwallowAnOutsideCancelOfTheSameTurn(EventLoop loop) {
        var task = loop.spawn(() -> {
            TaskGroup.run(group -> {
                group.spawn(noting("child"));
                Turns.wait(2);
                group.cancel();
                Task.current().cancel();
                Turns.forever();
            });
            order.add("not here");
        });
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.cancelling()).isEqualTo(1);
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void doesNotSwallowAnOutsideCancelThatCameBefore(EventLoop loop) {
        var task = loop.spawn(() -> {
            TaskGroup.run(group -> {
                Task.current().cancel();
                group.cancel();
                Turns.forever();
            });
            order.add("not here");
        });
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
    }

    @Test
    void doesNotSwallowAnOutsideCancelDuringTheCutOffBodysCleanUp(EventLoop loop) {
        var task = loop.spawn(() -> {
            TaskGroup.run(group -> {
                group.cancel();
                try {
                    Turns.forever();
                } finally {
                    Turns.wait(100);
                }
            });
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
    }

    @Test
    void failuresOfCleanUpStillComeOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(Turns.failingWhenCancelled("child"));
                        Turns.wait(2);
                        group.cancel();
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("child");
            Turns.assertBalanced();
        });
    }

    @Test
    void ofAnOuterGroupEndsTheInnerOneInItsBody(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(outer -> {
                Turns.later(loop, 4, outer::cancel);
                TaskGroup.run(inner -> inner.spawn(noting("inner child")));
                order.add("not here");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner child cancelled");
    }

    @Test
    void ofAnInnerGroupLeavesTheOuterAlone(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(outer -> {
                outer.spawn(() -> {
                    Turns.wait(8);
                    order.add("outer child");
                });
                TaskGroup.run(inner -> {
                    inner.spawn(noting("inner child"));
                    Turns.wait(2);
                    inner.cancel();
                });
                Turns.one();
                order.add("outer body");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner child cancelled", "outer body", "outer child");
    }

    @Test
    void ofBothGroupsInOneTurnIsSwallowedByBoth(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(outer -> TaskGroup.run(inner -> {
                inner.spawn(noting("inner child"));
                Turns.later(loop, 4, () -> {
                    inner.cancel();
                    outer.cancel();
                });
                Turns.forever();
            }));
            Turns.assertBalanced();
            order.add("after");
        });
        assertThat(order).containsExactly("inner child cancelled", "after");
    }

    @Test
    void failuresOfAGroupInsideComeOutOfTheCancelledOne(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(outer -> {
                        Turns.later(loop, 4, outer::cancel);
                        TaskGroup.run(inner -> inner.spawn(Turns.failingWhenCancelled("inner child")));
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("inner child");
            Turns.assertBalanced();
        });
    }

    @Test
    void failuresOfACancelledChildsGroupComeOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(outer -> {
                        var child = outer.spawn(
                                () -> TaskGroup.run(inner -> inner.spawn(Turns.failingWhenCancelled("grandchild"))));
                        Turns.wait(4);
                        child.cancel();
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("grandchild");
            Turns.assertBalanced();
        });
    }
}
