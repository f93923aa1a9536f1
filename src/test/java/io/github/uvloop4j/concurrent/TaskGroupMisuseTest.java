package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Groups used by the wrong one, too late, or without what they need: one exception that names the mistake. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupMisuseTest {
    private final ArrayList<String> order = new ArrayList<>();

    private static void assertIllegal(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageContaining(message);
    }

    @Test
    void outsideATaskThereIsNoGroup(EventLoop loop) {
        assertIllegal("a task group works in a task only", TaskGroup::open);
        assertIllegal("in a task only", () -> TaskGroup.run(group -> {}));
        var thrown = new ArrayList<Throwable>();
        loop.callSoon(() -> thrown.add(catchThrowable(TaskGroup::open)));
        loop.runOnce();
        assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anEndedGroupStartsNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var group = TaskGroup.open("g");
            group.join();
            assertIllegal("group g has ended", () -> group.spawn(() -> order.add("started")));
            assertIllegal("group g has ended", group::join);
            group.close();
            Turns.assertBalanced();
        });
        assertThat(order).isEmpty();
    }

    @Test
    void aChildThatOutlivesNothingCannotSpawnAfterTheEnd(EventLoop loop) throws Exception {
        var kept = new ArrayList<TaskGroup>();
        loop.run(() -> TaskGroup.run(kept::add));
        loop.run(() -> assertIllegal("has ended", () -> kept.getFirst().spawn(() -> 1)));
    }

    @Test
    void anotherTaskCannotEndIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var group = TaskGroup.open("g")) {
                group.spawn(() -> {
                    assertIllegal("only task main, which opened group g, can end it", group::join);
                    assertIllegal("only task main", group::close);
                    order.add("refused");
                });
                group.join();
            }
        });
        assertThat(order).containsExactly("refused");
    }

    @Test
    @Tag("cells")
    void anotherThreadCannotUseIt(EventLoop loop) throws Exception {
        var thrown = new ArrayList<Throwable>();
        loop.run(() -> TaskGroup.run(group -> {
            var thread = Thread.ofPlatform().start(() -> {
                thrown.add(catchThrowable(() -> group.spawn(() -> 1)));
                thrown.add(catchThrowable(group::cancel));
                thrown.add(catchThrowable(group::tasks));
                thrown.add(catchThrowable(group::failures));
                thrown.add(catchThrowable(group::isCancelled));
                thrown.add(catchThrowable(() -> group.onFailure((task, error) -> {})));
                thrown.add(catchThrowable(() -> group.cancelGrace(Duration.ofSeconds(1))));
                thrown.add(catchThrowable(group::join));
                thrown.add(catchThrowable(group::close));
            });
            while (thread.isAlive()) {
                Turns.one();
            }
        }));
        assertThat(thrown).hasSize(9).allMatch(error -> error instanceof IllegalStateException);
        assertThat(thrown.getFirst()).hasMessageContaining("not on the loop thread of group");
    }

    @Test
    void aTaskOfAnotherLoopCannotUseIt(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            try (var other = EventLoop.create()) {
                other.start();
                var refused = other.submit(() -> catchThrowable(() -> group.spawn(() -> 1)));
                while (!refused.isDone()) {
                    Turns.one();
                }
                assertThat(refused.result()).isInstanceOf(IllegalStateException.class);
            }
        }));
    }

    @Test
    @Tag("cells")
    void aForgottenJoinIsNamedAndTheChildrenAreCancelled(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertIllegal("call join() first", () -> {
                try (var group = TaskGroup.open()) {
                    group.spawn(() -> {
                        try {
                            Turns.forever();
                        } finally {
                            Turns.wait(3);
                            order.add("cleaned up");
                        }
                    });
                    Turns.wait(2);
                }
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    void aFailureOfACancelledChildIsNotHiddenByAForgottenJoin(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> {
                        try (var group = TaskGroup.open()) {
                            group.spawn(Turns.failingWhenCancelled("child"));
                            Turns.wait(2);
                        }
                    })
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("child");
            Turns.assertBalanced();
        });
    }

    @Test
    void theBodysExceptionComesOutOfAGroupWithoutAJoin(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> {
                        try (var group = TaskGroup.open()) {
                            group.spawn(Turns::forever);
                            Turns.wait(2);
                            throw new IOException("body");
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessage("body");
            Turns.assertBalanced();
        });
    }

    @Test
    void aCancelInAGroupThatHasNoJoinIsNoForgottenJoin(EventLoop loop) {
        var task = loop.spawn(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(Turns::forever);
                Turns.forever();
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.failureOrNull().getSuppressed()).isEmpty();
    }

    @Test
    void joinInABodyThatRunIsGivenIsAllowed(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.spawn(() -> {
                    Turns.wait(3);
                    order.add("child");
                });
                group.join();
                order.add("joined");
            });
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(Turns.failing("child"));
                        group.join();
                    }))
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            thrown -> assertThat(thrown.failures())
                                    .extracting(Throwable::getMessage)
                                    .containsExactly("child"));
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child", "joined");
    }

    @Test
    void joinInABodyThatSwallowedItsCutOffAddsNoFailure(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(Turns.failing("child"));
                        try {
                            Turns.forever();
                        } catch (CancellationException e) {
                            order.add("swallowed");
                        }
                        group.join();
                    }))
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            thrown -> assertThat(thrown.failures())
                                    .extracting(Throwable::getMessage)
                                    .containsExactly("child"));
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("swallowed");
    }

    @Test
    void nullsAreNamed(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("body");
            assertThatThrownBy(() -> TaskGroup.call(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> TaskGroup.open(null)).hasMessage("name");
            try (var group = TaskGroup.open()) {
                assertThatThrownBy(() -> group.spawn("x", (TaskBody) null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> group.spawn(null, () -> 1)).hasMessage("name");
                assertThatThrownBy(() -> group.onFailure(null)).hasMessage("listener");
                assertThatThrownBy(() -> group.cancelGrace(null)).hasMessage("grace");
                assertThatThrownBy(() -> group.cancelGrace(Duration.ZERO))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("grace must be positive");
                assertThat(group.tasks()).isEmpty();
            }
            Turns.assertBalanced();
        });
    }

    @Test
    void aFailureInAGroupThatWasNeverClosedIsReported(EventLoop loop, LoopExtension.Errors errors) {
        var gate = loop.<String>createFuture();
        var owner = loop.spawn(() -> {
            var group = TaskGroup.open();
            group.spawn(() -> {
                gate.await();
                Turns.failing("orphan").run();
            });
        });
        Turns.some(loop);
        assertThat(owner.isDone()).isTrue();
        gate.complete("x");
        Turns.some(loop);
        assertThat(errors.take())
                .singleElement()
                .satisfies(report -> assertThat(report.exception()).hasMessage("orphan"));
    }

    @Test
    void aClosingLoopRefusesChildrenOfACancelledOwner(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            try {
                Turns.forever();
            } catch (CancellationException e) {
                order.add("spawned " + (group.spawn(() -> order.add("started")) != null));
                throw e;
            }
        }));
        Turns.some(loop);
        loop.close();
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).first().isEqualTo("spawned true");
    }
}
