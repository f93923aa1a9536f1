package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One limit: set in each way, moved, removed, misused. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TimeoutTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final ArrayList<String> order = new ArrayList<>();

    /** The limit ends a part that waits for ever, and leaves the task as it was. */
    private static void assertCutsOff(EventLoop loop, Timeout timeout) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> timeout.run(limit -> Turns.forever()))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("the time limit is over")
                    .hasCauseInstanceOf(CancellationException.class);
            assertThat(timeout.isExpired()).isTrue();
            Turns.assertBalanced();
        });
        assertThat(loop.backendTimeout()).as("no timer is left").isLessThan(1);
    }

    private static void assertDoesNot(EventLoop loop, Timeout timeout) throws Exception {
        loop.run(() -> {
            var value = timeout.call(limit -> {
                Turns.wait(3);
                return "value";
            });
            assertThat(value).isEqualTo("value");
            assertThat(timeout.isExpired()).isFalse();
            Turns.assertBalanced();
        });
        assertThat(loop.backendTimeout()).as("no timer is left").isLessThan(1);
    }

    @Test
    @Tag("cells")
    void afterCutsOff(EventLoop loop) throws Exception {
        assertCutsOff(loop, Timeout.after(Duration.ofMillis(5)));
    }

    @Test
    void zeroCutsOffAtTheFirstAwait(EventLoop loop) throws Exception {
        assertCutsOff(loop, Timeout.after(Duration.ZERO));
    }

    @Test
    void aNegativeLimitIsZero(EventLoop loop) throws Exception {
        assertCutsOff(loop, Timeout.after(Duration.ofSeconds(Long.MIN_VALUE)));
    }

    @Test
    void atCutsOff(EventLoop loop) throws Exception {
        assertCutsOff(loop, Timeout.at(System.nanoTime() + 5_000_000));
    }

    @Test
    void aTimeThatIsPastCutsOff(EventLoop loop) throws Exception {
        assertCutsOff(loop, Timeout.at(System.nanoTime() - 5_000_000));
    }

    @Test
    void aLimitThatIsNotReachedDoesNot(EventLoop loop) throws Exception {
        assertDoesNot(loop, Timeout.after(LONG));
    }

    @Test
    void neverDoesNot(EventLoop loop) throws Exception {
        assertDoesNot(loop, Timeout.never());
    }

    @Test
    void aHugeLimitDoesNot(EventLoop loop) throws Exception {
        assertDoesNot(loop, Timeout.after(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void aTimeFarOffDoesNot(EventLoop loop) throws Exception {
        assertDoesNot(loop, Timeout.at(System.nanoTime() + Long.MAX_VALUE - 1));
    }

    @Test
    void aSynchronousPartIsNotCutOff(EventLoop loop) throws Exception {
        loop.run(() -> {
            var value = Timeout.after(Duration.ZERO).call(limit -> "value");
            assertThat(value).isEqualTo("value");
            Turns.assertBalanced();
        });
    }

    @Test
    void itCountsFromTheStartOfThePart(EventLoop loop) throws Exception {
        var timeout = Timeout.after(LONG);
        assertThat(timeout.left()).isEqualTo(LONG);
        loop.run(() -> timeout.run(limit -> {
            assertThat(limit).isSameAs(timeout);
            assertThat(limit.left()).isBetween(LONG.minusSeconds(30), LONG);
        }));
    }

    @Test
    void movedToAnEarlierTimeItCutsOff(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(LONG).run(limit -> {
                        limit.reschedule(Duration.ofMillis(1));
                        Turns.forever();
                    }))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void movedToALaterTimeItDoesNot(EventLoop loop) throws Exception {
        loop.run(() -> {
            var moved = Timeout.after(Duration.ZERO).call(limit -> {
                limit.reschedule(LONG);
                Turns.wait(5);
                return limit;
            });
            assertThat(moved.isExpired()).isFalse();
            Turns.assertBalanced();
        });
        assertThat(loop.backendTimeout()).isLessThan(1);
    }

    @Test
    void movedByACallbackItCutsOff(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.never().run(limit -> {
                        Turns.later(loop, 3, () -> limit.reschedule(Duration.ZERO));
                        Turns.forever();
                    }))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void movedBeforeThePartItCountsFromItsStart(EventLoop loop) throws Exception {
        var timeout = Timeout.never();
        timeout.reschedule(Duration.ZERO);
        assertThat(timeout.left()).isZero();
        assertCutsOff(loop, timeout);
    }

    @Test
    void removedItDoesNot(EventLoop loop) throws Exception {
        loop.run(() -> {
            var removed = Timeout.after(Duration.ZERO).call(limit -> {
                limit.remove();
                assertThat(limit.left()).isNull();
                Turns.wait(5);
                return limit;
            });
            assertThat(removed.isExpired()).isFalse();
            Turns.assertBalanced();
        });
    }

    @Test
    void itCannotBeMovedOnceItIsOver(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                        try {
                            Turns.forever();
                        } finally {
                            assertThatThrownBy(() -> limit.reschedule(LONG))
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("over already");
                            assertThatThrownBy(limit::remove).isInstanceOf(IllegalStateException.class);
                            assertThat(limit.left()).isZero();
                        }
                    }))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void itCannotBeMovedAfterThePart(EventLoop loop) throws Exception {
        var timeout = Timeout.after(LONG);
        assertDoesNot(loop, timeout);
        assertThatThrownBy(() -> timeout.reschedule(LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
    }

    @Test
    void itCannotBeMovedByAnotherThread(EventLoop loop) throws Exception {
        var thrown = new ArrayList<Throwable>();
        loop.run(() -> Timeout.after(LONG).run(limit -> {
            var thread = Thread.ofPlatform()
                    .uncaughtExceptionHandler((where, error) -> thrown.add(error))
                    .start(() -> limit.reschedule(Duration.ZERO));
            while (thread.isAlive()) {
                Turns.one();
            }
        }));
        assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void itServesOnce(EventLoop loop) throws Exception {
        var timeout = Timeout.after(LONG);
        loop.run(() -> {
            timeout.run(limit -> assertThatThrownBy(() -> limit.run(again -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("once"));
            assertThatThrownBy(() -> timeout.run(again -> {})).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void itWorksInATaskOnly() {
        assertThatThrownBy(() -> Timeout.after(LONG).run(limit -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in a task only");
    }

    @Test
    void nullsAreNamed(EventLoop loop) throws Exception {
        assertThatThrownBy(() -> Timeout.after(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("limit");
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(LONG).run(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("body");
            assertThatThrownBy(() -> Timeout.waitFor(null, LONG))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("future");
        });
    }

    @Test
    void anotherExceptionPasses(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ZERO)
                            .run(limit -> Turns.failingWhenCancelled("clean-up").run()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("clean-up");
            Turns.assertBalanced();
        });
    }

    @Test
    void aCancellationThatTheLimitDidNotCausePasses(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(LONG).run(limit -> {
                        throw new CancellationException("mine");
                    }))
                    .isInstanceOf(CancellationException.class)
                    .hasMessage("mine");
            Turns.assertBalanced();
        });
    }

    @Test
    void aPartThatSwallowsItReturnsItsValue(EventLoop loop) throws Exception {
        loop.run(() -> {
            var value = Timeout.after(Duration.ZERO).call(limit -> {
                try {
                    Turns.forever();
                } catch (CancellationException e) {
                    order.add("swallowed " + limit.isExpired());
                }
                return "value";
            });
            assertThat(value).isEqualTo("value");
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("swallowed true");
    }

    @Test
    void cleanUpInItMayAwait(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                        try {
                            Turns.forever();
                        } finally {
                            Turns.wait(5);
                            order.add("cleaned up");
                        }
                    }))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    @Tag("carrier")
    void aSleepOfTheJdkIsInterrupted(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(1)).run(limit -> Thread.sleep(50_000)))
                    .isInstanceOf(TimeoutException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            Turns.assertBalanced();
            assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(1)).run(limit -> new CountDownLatch(1).await()))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void stateIsTold(EventLoop loop) throws Exception {
        var timeout = Timeout.after(LONG);
        assertThat(timeout).hasToString("Timeout[not started, 50000 ms left]");
        loop.run(() -> timeout.run(limit -> assertThat(limit.toString()).startsWith("Timeout[active, ")));
        assertThat(timeout).hasToString("Timeout[ended]");
    }
}
