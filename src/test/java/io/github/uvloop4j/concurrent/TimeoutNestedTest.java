package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Limits in limits, and limits against cancels, groups and results of the same turn. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TimeoutNestedTest {
    private final ArrayList<String> order = new ArrayList<>();

    /** Whether a part ended with a time-out, which is noted. */
    private boolean timedOut(String what, Timeout timeout, Timeout.VoidBody body) throws Exception {
        try {
            timeout.run(body);
            order.add(what + " returned");
            return false;
        } catch (TimeoutException e) {
            order.add(what + " timed out");
            return true;
        } catch (CancellationException e) {
            order.add(what + " cancelled");
            throw e;
        }
    }

    @Test
    @Tag("cells")
    void theInnerOneFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut("outer", Timeout.after(Duration.ofSeconds(50)), outer -> {
                timedOut("inner", Timeout.after(Duration.ZERO), inner -> Turns.forever());
                Turns.wait(3);
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner timed out", "outer returned");
    }

    @Test
    @Tag("cells")
    void theOuterOneFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut("outer", Timeout.after(Duration.ZERO), outer -> {
                timedOut("inner", Timeout.after(Duration.ofSeconds(50)), inner -> Turns.forever());
                order.add("not here");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner cancelled", "outer timed out");
    }

    @Test
    void bothInOneTurn(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut("outer", Timeout.after(Duration.ZERO), outer -> {
                timedOut("inner", Timeout.after(Duration.ZERO), inner -> Turns.forever());
                order.add("not here");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner cancelled", "outer timed out");
    }

    @Test
    void bothInOneTurnTheInnerOneFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut("outer", Timeout.never(), outer -> {
                timedOut("inner", Timeout.never(), inner -> {
                    Turns.later(loop, 3, () -> {
                        inner.reschedule(Duration.ZERO);
                        outer.reschedule(Duration.ZERO);
                    });
                    Turns.forever();
                });
                order.add("not here");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner cancelled", "outer timed out");
    }

    @Test
    void theOuterOneWhileTheInnerOneCleansUp(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut("outer", Timeout.never(), outer -> {
                timedOut("inner", Timeout.after(Duration.ZERO), inner -> {
                    try {
                        Turns.forever();
                    } finally {
                        outer.reschedule(Duration.ZERO);
                        Turns.forever();
                    }
                });
                order.add("not here");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner cancelled", "outer timed out");
    }

    @Test
    void aHundredDeep(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> nest(100, Timeout.after(Duration.ofMillis(5))))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }

    private static void nest(int depth, Timeout timeout) throws Exception {
        timeout.run(limit -> {
            if (depth == 0) {
                Turns.forever();
            } else {
                nest(depth - 1, Timeout.after(Duration.ofSeconds(50)));
            }
        });
    }

    @Test
    @Tag("cells")
    void aCancelInTheTurnOfTheLimitWins(EventLoop loop) {
        for (var first : new boolean[] {true, false}) {
            order.clear();
            var task = loop.spawn(() -> {
                var running = Task.current();
                timedOut("part", Timeout.never(), limit -> {
                    Turns.later(loop, 3, () -> {
                        if (first) {
                            running.cancel();
                        }
                        limit.reschedule(Duration.ZERO);
                        if (!first) {
                            loop.callSoon(running::cancel);
                        }
                    });
                    Turns.forever();
                });
                order.add("not here");
            });
            Turns.some(loop);
            assertThat(task.isCancelled()).isTrue();
            assertThat(task.cancelling()).isEqualTo(1);
            assertThat(order).containsExactly("part cancelled");
        }
    }

    @Test
    void aCancelDuringTheCleanUpWins(EventLoop loop) {
        var task = loop.spawn(() -> {
            timedOut("part", Timeout.after(Duration.ZERO), limit -> {
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
        assertThat(order).containsExactly("part cancelled");
    }

    @Test
    void aCancelPendingFromBeforeIsNotTakenForTheLimit(EventLoop loop) {
        var task = loop.spawn(() -> {
            var gate = loop.<String>createFuture();
            Task.current().cancel();
            timedOut("part", Timeout.after(Duration.ZERO), limit -> {
                Task.shielded(() -> Turns.wait(6));
                assertThat(limit.isExpired()).isTrue();
                gate.await();
            });
            order.add("not here");
        });
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("part cancelled");
    }

    @Test
    @Tag("carrier")
    void aLimitInTheCleanUpAfterAnInterruptIsATimeOut(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                Thread.sleep(50_000);
            } finally {
                timedOut("clean-up", Timeout.after(Duration.ZERO), limit -> Turns.forever());
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("clean-up timed out");
    }

    @Test
    void aResultInTheTurnOfTheLimitWins(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            var value = Timeout.never().call(limit -> {
                Turns.later(loop, 3, () -> {
                    limit.reschedule(Duration.ZERO);
                    loop.callSoon(() -> gate.complete("value"));
                });
                return gate.await();
            });
            assertThat(value).isEqualTo("value");
            Turns.assertBalanced();
        });
    }

    @Test
    void aLimitInTheCleanUpOfACancelledTaskWorksAsEver(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                Turns.forever();
            } finally {
                timedOut("slow clean-up", Timeout.after(Duration.ZERO), limit -> Turns.forever());
                timedOut("quick clean-up", Timeout.after(Duration.ofSeconds(50)), limit -> Turns.wait(3));
                order.add("open " + Task.current().cancelling());
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("slow clean-up timed out", "quick clean-up returned", "open 1");
    }

    @Test
    void aGroupInItIsCancelledAndWaitedFor(EventLoop loop) throws Exception {
        loop.run(() -> {
            timedOut(
                    "part",
                    Timeout.after(Duration.ZERO),
                    limit -> TaskGroup.run(group -> group.spawn(() -> {
                        try {
                            Turns.forever();
                        } finally {
                            Turns.wait(4);
                            order.add("child cleaned up");
                        }
                    })));
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("child cleaned up", "part timed out");
    }

    @Test
    void failuresOfAGroupInItAreSuppressedInTheCause(EventLoop loop) throws Exception {
        loop.run(() -> {
            var thrown = catchThrowable(() -> Timeout.after(Duration.ZERO)
                    .run(limit -> TaskGroup.run(group -> {
                        group.spawn(Turns.failingWhenCancelled("child"));
                        Turns.one();
                        Turns.forever();
                    })));
            assertThat(thrown).isInstanceOf(TimeoutException.class);
            assertThat(thrown.getCause().getSuppressed())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            group -> assertThat(group.first()).hasMessage("child"));
            Turns.assertBalanced();
        });
    }

    @Test
    void aFailureOfAGroupAroundItPasses(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group -> {
                        group.spawn(Turns.failing("child"));
                        timedOut("part", Timeout.after(Duration.ofSeconds(50)), limit -> Turns.forever());
                    }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("child");
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("part cancelled");
        assertThat(loop.backendTimeout()).as("no timer is left").isLessThan(1);
    }

    @Test
    void aTimeOutIsAFailureOfTheGroupAroundIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> TaskGroup.run(group ->
                            group.spawn(() -> Timeout.after(Duration.ZERO).run(limit -> Turns.forever()))))
                    .isInstanceOf(TaskGroupException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }
}
