package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a failure in a group does to the others, and that none is lost. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupFailureTest {
    private final ArrayList<String> order = new ArrayList<>();

    /** The messages of what a group fails with, while the calling task stays as it was. */
    private static Iterable<String> failures(ThrowingCallable group) throws Exception {
        var thrown = catchThrowableOfType(TaskGroupException.class, group);
        assertThat(thrown).as("the group's exception").isNotNull();
        Turns.assertBalanced();
        assertThat(thrown.first()).isSameAs(thrown.failures().getFirst()).isSameAs(thrown.getCause());
        assertThat(thrown.getSuppressed())
                .containsExactlyElementsOf(
                        thrown.failures().subList(1, thrown.failures().size()));
        return thrown.failures().stream().map(Throwable::getMessage).toList();
    }

    private TaskBody cancelled(String what) {
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
    void cancelsTheSiblingsAndTheBody(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThat(failures(() -> TaskGroup.run(group -> {
                        group.spawn(cancelled("sibling"));
                        group.spawn(Turns.failing("child"));
                        cancelled("body").run();
                    })))
                    .containsExactly("child");
        });
        assertThat(order).containsExactlyInAnyOrder("sibling cancelled", "body cancelled");
    }

    @Test
    @Tag("cells")
    void comesOutOfTheJoin(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThat(failures(() -> {
                        try (var group = TaskGroup.open()) {
                            group.spawn(cancelled("sibling"));
                            group.spawn(Turns.failing("child"));
                            group.join();
                        }
                    }))
                    .containsExactly("child");
        });
        assertThat(order).containsExactly("sibling cancelled");
    }

    @Test
    void allEndBeforeTheGroupDoes(EventLoop loop) throws Exception {
        loop.run(() -> {
            failures(() -> TaskGroup.run(group -> {
                group.spawn(() -> {
                    try {
                        Turns.forever();
                    } finally {
                        Turns.wait(6);
                        order.add("cleaned up");
                    }
                });
                group.spawn(Turns.failing("child"));
            }));
            order.add("ended");
        });
        assertThat(order).containsExactly("cleaned up", "ended");
    }

    @Test
    void thoseOfOneTurnComeTogetherInOrder(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(Turns.failing("a"));
                    group.spawn(Turns.failing("b"));
                    group.spawn(Turns.failing("c"));
                })))
                .as("no child but the first starts once the group is cancelled")
                .containsExactly("a"));
    }

    @Test
    void thoseOfSiblingsThatFailInTheSameTurnAreNotLost(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            TaskBody child = () -> {
                try {
                    gate.await();
                } finally {
                    Turns.failing(Task.current().name()).run();
                }
            };
            assertThat(failures(() -> TaskGroup.run(group -> {
                        for (var name : new String[] {"a", "b", "c"}) {
                            group.spawn(name, child);
                        }
                        Turns.wait(2);
                        gate.complete("x");
                    })))
                    .containsExactly("a", "b", "c");
        });
    }

    @Test
    void thoseOfCleanUpComeAfterTheFirst(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(Turns.failingWhenCancelled("clean-up 1"));
                    group.spawn(() -> {
                        Turns.wait(2);
                        Turns.failing("first").run();
                    });
                    group.spawn(Turns.failingWhenCancelled("clean-up 2"));
                })))
                .containsExactly("first", "clean-up 1", "clean-up 2"));
    }

    @Test
    void ofTheBodyCancelsTheChildren(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(cancelled("child"));
                    Turns.wait(2);
                    Turns.failing("body").run();
                })))
                .containsExactly("body"));
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void ofTheBodyAndOfTheChildrensCleanUpComeTogether(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(Turns.failingWhenCancelled("child"));
                    Turns.wait(2);
                    Turns.failing("body").run();
                })))
                .containsExactly("body", "child"));
    }

    @Test
    void ofTheBodyThatIsCutOffIsNotLost(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(Turns.failing("child"));
                    Turns.failingWhenCancelled("body").run();
                })))
                .containsExactly("child", "body"));
    }

    @Test
    void ofAChildThatTheBodyAwaitsCountsOnce(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(
                        group -> group.spawn(Turns.failing("child")).await())))
                .containsExactly("child"));
    }

    @Test
    void ofAChildComesOutThoughTheBodySwallowsItsCutOff(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.call(group -> {
                    group.spawn(Turns.failing("child"));
                    try {
                        Turns.forever();
                    } catch (CancellationException e) {
                        order.add("swallowed");
                    }
                    return "value";
                })))
                .containsExactly("child"));
        assertThat(order).containsExactly("swallowed");
    }

    @Test
    void ofAChildInTheTurnInWhichTheBodyReturnsLeavesNothingBehind(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    var gate = loop.<String>createFuture();
                    group.spawn(() -> {
                        gate.complete("x");
                        Turns.failing("child").run();
                    });
                    gate.await();
                })))
                .containsExactly("child"));
    }

    @Test
    void anErrorIsAFailureToo(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    TaskBody child = () -> {
                        throw new AssertionError("child");
                    };
                    group.spawn(child);
                    Turns.forever();
                })))
                .containsExactly("child"));
    }

    @Test
    void aFatalErrorOfTheBodyStopsTheLoop() {
        var fatal = new InternalError("fatal");
        try (var loop = EventLoop.create(LoopOptions.defaults().fatal(error -> error == fatal))) {
            assertThat(catchThrowable(() -> loop.run(() -> TaskGroup.run(group -> {
                        throw fatal;
                    }))))
                    .isSameAs(fatal);
        }
    }

    @Test
    void aChildCancelledAloneIsNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                var child = group.spawn(cancelled("child"));
                group.spawn(() -> {
                    Turns.wait(6);
                    order.add("sibling went on");
                });
                Turns.wait(2);
                child.cancel();
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child cancelled", "sibling went on");
    }

    @Test
    void aChildCancelledBeforeItsFirstStepIsNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> group.spawn(() -> order.add("started")).cancel());
            Turns.assertBalanced();
        });
        assertThat(order).isEmpty();
    }

    @Test
    void aChildThatThrowsACancellationOfItsOwnIsNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                TaskBody child = () -> {
                    throw new CancellationException("mine");
                };
                group.spawn(child);
                Turns.wait(4);
                order.add("body goes on");
            });
        });
        assertThat(order).containsExactly("body goes on");
    }

    @Test
    void aChildThatIsSpawnedAfterItNeverStarts(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(group -> {
                    group.spawn(Turns.failing("child"));
                    try {
                        Turns.forever();
                    } finally {
                        assertThat(group.spawn(() -> order.add("started"))).isNotNull();
                    }
                })))
                .containsExactly("child"));
        assertThat(order).isEmpty();
    }

    @Test
    void allAreInOneMessage(EventLoop loop) throws Exception {
        loop.run(() -> {
            var thrown = catchThrowable(() -> {
                try (var group = TaskGroup.open("g")) {
                    group.spawn(Turns.failingWhenCancelled("second"));
                    group.spawn(() -> {
                        Turns.one();
                        Turns.failing("first").run();
                    });
                    group.join();
                }
            });
            assertThat(thrown).hasMessage("group g: 2 tasks failed, the first with java.io.IOException: first");
            assertThat(thrown.getSuppressed()).hasSize(1);
        });
    }

    @Test
    void ofAClosedGroupIsSuppressedByTheBodysOwn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var thrown = catchThrowable(() -> {
                try (var group = TaskGroup.open()) {
                    group.spawn(Turns.failing("child"));
                    Turns.wait(3);
                    throw new IOException("body");
                }
            });
            assertThat(thrown).isInstanceOf(IOException.class).hasMessage("body");
            assertThat(thrown.getSuppressed())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            group -> assertThat(group.first()).hasMessage("child"));
            Turns.assertBalanced();
        });
    }

    @Test
    void withoutAJoinItComesOutOfClose(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> {
                    try (var group = TaskGroup.open()) {
                        group.spawn(Turns.failing("child"));
                        group.spawn(Turns.failingWhenCancelled("sibling"));
                        Turns.wait(1);
                        assertThat(group.isCancelled()).isTrue();
                    }
                }))
                .containsExactly("child"));
    }
}
