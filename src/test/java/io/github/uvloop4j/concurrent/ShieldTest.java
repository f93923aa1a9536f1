package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Task#shielded}: part of a task that a cancel from outside does not cut short. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class ShieldTest {
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void aCancelArrivesAtTheFirstAwaitAfterIt(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            Task.shielded(() -> {
                order.add(gate.await());
            });
            order.add("after");
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isDone()).isFalse();
        assertThat(gate.isDone()).as("what it awaits is not cancelled").isFalse();
        gate.complete("awaited");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("awaited", "after");
    }

    @Test
    void aCancelFromBeforeItWaitsToo(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.current().cancel();
            Task.shielded(() -> {
                Turns.one();
                order.add("inside");
            });
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("inside");
    }

    @Test
    void aTaskThatEndsWithItIsCancelled(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> Task.shielded(() -> gate.await()));
        Turns.some(loop);
        task.cancel();
        gate.complete("x");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void aShieldInAShieldKeepsTheOuterUp(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            Task.shielded(() -> {
                Task.shielded(() -> {
                    order.add(gate.await());
                });
                Turns.one();
                order.add("between");
            });
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        gate.complete("inner");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("inner", "between");
    }

    @Test
    void whatItThrowsPassesAndTheCancelStays(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            var thrown = catchThrowable(() -> Task.shielded(() -> {
                gate.await();
                throw new IOException("inside");
            }));
            order.add(thrown.getMessage());
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        gate.complete("x");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("inside");
    }

    @Test
    void aCancelTakenBackInsideDoesNotArrive(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.shielded(() -> {
                Task.current().cancel();
                Turns.one();
                Task.current().uncancel();
            });
            Turns.assertBalanced();
        });
    }

    @Test
    @Tag("cells")
    void aTimeLimitInsideStillCutsOff(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.shielded(() -> {
                assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> Turns.forever()))
                        .isInstanceOf(TimeoutException.class);
                order.add("inside");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inside");
    }

    @Test
    void aTimeLimitInsideCutsOffWhileACancelWaits(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.shielded(() -> {
                Task.current().cancel();
                assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> Turns.forever()))
                        .isInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                            Task.current().cancel();
                            Turns.forever();
                        }))
                        .as("the cancel has not been seen here")
                        .isInstanceOf(TimeoutException.class);
                Turns.one();
                order.add("inside");
            });
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("inside");
    }

    @Test
    void aTimeLimitOutsideWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                        Task.shielded(() -> {
                            Turns.wait(6);
                            order.add("inside " + limit.isExpired());
                        });
                        Turns.one();
                        order.add("not here");
                    }))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inside true");
    }

    @Test
    void aTimeLimitOutsideThatEndsWithItReturnsTheValue(EventLoop loop) throws Exception {
        loop.run(() -> {
            var value = Timeout.after(Duration.ZERO)
                    .call(limit -> Task.shielded(() -> {
                        Turns.wait(6);
                        return "value";
                    }));
            assertThat(value).isEqualTo("value");
            Turns.assertBalanced();
        });
    }

    @Test
    void aGroupInsideStillCutsOffItsBody(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.shielded(() -> {
                assertThatThrownBy(() -> TaskGroup.run(group -> {
                            group.spawn(Turns.failing("child"));
                            Turns.forever();
                        }))
                        .isInstanceOf(TaskGroupException.class);
                order.add("inside");
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inside");
    }

    @Test
    void aGroupInsideIsNotCancelledFromOutside(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            Task.shielded(() -> TaskGroup.run(group -> group.spawn(() -> {
                order.add(gate.await());
            })));
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        gate.complete("child");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("child");
    }

    @Test
    @Tag("carrier")
    void aSleepInsideIsNotInterrupted(EventLoop loop) {
        var latch = new CountDownLatch(1);
        var task = loop.spawn(() -> {
            Task.shielded(() -> {
                latch.await();
                order.add("waited");
            });
            latch.await();
            Thread.sleep(50_000);
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isDone()).isFalse();
        latch.countDown();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("waited");
    }

    @Test
    @Tag("carrier")
    void aSleepInsideIsNotInterruptedByACancelFromBefore(EventLoop loop) {
        var latch = new CountDownLatch(1);
        var task = loop.spawn(() -> {
            Task.current().cancel();
            Task.shielded(() -> {
                latch.await();
                order.add("waited");
            });
            Thread.sleep(50_000);
        });
        Turns.some(loop);
        latch.countDown();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("waited");
    }

    @Test
    @Tag("carrier")
    void afterAnInterruptTheCancelComesNoSecondTime(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                Thread.sleep(50_000);
            } finally {
                Task.shielded(() -> {
                    Turns.one();
                    order.add("shielded clean-up");
                });
                Turns.one();
                order.add("clean-up");
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("shielded clean-up", "clean-up");
    }

    @Test
    @Tag("carrier")
    void aTimeLimitInsideInterruptsASleepAndLeavesNoFlag(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.shielded(() -> {
                assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> Thread.sleep(50_000)))
                        .isInstanceOf(TimeoutException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
            });
            Turns.assertBalanced();
        });
    }

    @Test
    void returnsTheValue(EventLoop loop) throws Exception {
        assertThat(loop.run(() -> Task.shielded(() -> {
                    Turns.one();
                    return "value";
                })))
                .isEqualTo("value");
    }

    @Test
    void worksInATaskOnly(EventLoop loop) {
        assertThatThrownBy(() -> Task.shielded(() -> "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in a task only");
    }

    @Test
    void needsABody(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Task.shielded((TaskBody) null)).isInstanceOf(NullPointerException.class);
            Turns.assertBalanced();
        });
    }
}
