package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Children that do not react to their cancel, and who is told of a failure before they do. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupGraceTest {
    private final ArrayList<String> order = new ArrayList<>();

    private LoopFuture<ExceptionContext> reported(EventLoop loop) {
        var reported = loop.<ExceptionContext>createFuture();
        loop.exceptionHandler(reported::complete);
        return reported;
    }

    @Test
    @Tag("cells")
    void aDeafChildIsReportedByNameAndPlaceAndCancelledAgain(EventLoop loop) throws Exception {
        var reported = reported(loop);
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.cancelGrace(Duration.ofMillis(10));
                        group.spawn("deaf", () -> {
                            try {
                                Turns.forever();
                            } catch (CancellationException e) {
                                order.add("swallowed");
                            }
                            Turns.forever();
                        });
                        group.spawn("failing", () -> {
                            Turns.wait(3);
                            Turns.failing("first").run();
                        });
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("first");
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("swallowed");
        assertThat(reported.result().message()).contains("task deaf has not ended");
        assertThat(reported.result().exception().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("forever"));
    }

    @Test
    void theOwnerThatWaitsForADeafChildIsNotReported(EventLoop loop) throws Exception {
        var reports = new ArrayList<String>();
        loop.exceptionHandler(report -> reports.add(report.message()));
        loop.run(() -> {
            var owner = loop.spawn(
                    "owner",
                    () -> TaskGroup.run(group -> {
                        group.cancelGrace(Duration.ofMillis(10));
                        Task.current().cancelGrace(Duration.ofMillis(1));
                        group.spawn("deaf", () -> {
                            for (int i = 0; i < 3; i++) {
                                try {
                                    Turns.forever();
                                } catch (CancellationException e) {
                                    order.add("swallowed");
                                }
                            }
                        });
                    }));
            Turns.wait(4);
            owner.cancel();
            owner.handle((value, error) -> error).await();
            assertThat(owner.isCancelled()).isTrue();
        });
        assertThat(reports).isNotEmpty().allMatch(message -> message.contains("task deaf "));
    }

    @Test
    void aChildThatTakesTheGroupsCancelBackIsReachedAllTheSame(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                var child = group.spawn(() -> {
                    try {
                        Turns.forever();
                    } catch (CancellationException e) {
                        Turns.wait(6);
                        order.add("left " + Task.current().uncancel());
                    }
                    Turns.forever();
                });
                Turns.wait(3);
                child.cancel();
                Turns.wait(3);
                group.cancel();
            });
        });
        assertThat(order).as("it took back the one that it had seen").containsExactly("left 1");
    }

    @Test
    @Tag("carrier")
    void aChildInAJdkCallIsInterrupted(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(() -> new SynchronousQueue<String>().take());
                        group.spawn(() -> {
                            Turns.wait(3);
                            Turns.failing("first").run();
                        });
                    }))
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            thrown -> assertThat(thrown.failures()).hasSize(1));
            Turns.assertBalanced();
        });
    }

    @Test
    @Tag("carrier")
    void aBodyInAJdkCallIsInterrupted(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(Turns.failing("first"));
                        new CountDownLatch(1).await();
                    }))
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            thrown -> assertThat(thrown.failures()).hasSize(1));
            Turns.assertBalanced();
        });
    }

    @Test
    @Tag("carrier")
    void anOpenGroupAfterAnInterruptedBodyDoesNotSendTheCancelAgain(EventLoop loop) throws Exception {
        loop.run(() -> {
            var owner = loop.spawn(() -> {
                try (var group = TaskGroup.open()) {
                    group.spawn(Turns::forever);
                    new CountDownLatch(1).await();
                } finally {
                    Turns.wait(3);
                    order.add("cleaned up");
                }
            });
            Turns.wait(3);
            owner.cancel();
            owner.handle((value, error) -> error).await();
            assertThat(owner.isCancelled()).isTrue();
        });
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    @Tag("cells")
    void theListenerHearsOfAFailureBeforeTheSiblingsHaveEnded(EventLoop loop) throws Exception {
        loop.run(() -> {
            var heard = loop.<String>createFuture();
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.onFailure((task, error) -> heard.complete(task.name() + ' ' + error.getMessage()));
                        group.spawn("sibling", () -> {
                            try {
                                Turns.forever();
                            } finally {
                                order.add(Task.shielded(() -> heard.await()));
                            }
                        });
                        Turns.wait(2);
                        group.spawn("failing", Turns.failing("first"));
                    }))
                    .isInstanceOf(TaskGroupException.class);
        });
        assertThat(order).containsExactly("failing first");
    }

    @Test
    void theListenerHearsOfEachFailureOnceAndOfTheBodysAsTheOwners(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.onFailure((task, error) -> order.add(task.name() + ' ' + error.getMessage()));
                        group.spawn("child", Turns.failingWhenCancelled("clean-up"));
                        Turns.wait(2);
                        Turns.failing("body").run();
                    }))
                    .isInstanceOf(TaskGroupException.class);
            Turns.one();
        });
        assertThat(order).containsExactly("main body", "child clean-up");
    }

    @Test
    void theListenerIsCalledInTheTurnAfterTheFailure(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.onFailure((task, error) -> order.add("heard"));
                        var child = group.spawn(Turns.failing("child"));
                        child.onDone(() -> order.add("done"));
                        Turns.forever();
                    }))
                    .isInstanceOf(TaskGroupException.class);
            Turns.one();
        });
        assertThat(order).containsExactly("done", "heard");
    }

    @Test
    void whatTheListenerThrowsIsReported(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.onFailure((task, error) -> {
                            throw new IllegalStateException("listener");
                        });
                        group.spawn(Turns.failing("child"));
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("child");
            Turns.one();
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(report -> assertThat(report.exception()).hasMessage("listener"));
    }

    @Test
    void aCancelledChildIsNoFailureToTheListener(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(group -> {
                group.onFailure((task, error) -> order.add("heard"));
                group.spawn(Turns::forever).cancel();
                Turns.wait(3);
            });
            Turns.one();
        });
        assertThat(order).isEmpty();
    }
}
