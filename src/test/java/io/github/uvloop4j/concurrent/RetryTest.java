package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that are tried again. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class RetryTest {
    private int calls;

    /** Without delays, which only yield to the loop. */
    private static Retry times(int attempts) {
        return Retry.times(attempts).delays(Duration.ZERO, Duration.ZERO);
    }

    private Callable<String> failing(int failures) {
        return () -> {
            calls++;
            if (calls <= failures) {
                throw new IOException("attempt " + calls);
            }
            return "value of attempt " + calls;
        };
    }

    @Test
    @Tag("cells")
    void theFirstValueIsReturned(EventLoop loop) throws Exception {
        assertThat(loop.run(() -> times(5).call(failing(2)))).isEqualTo("value of attempt 3");
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void nullIsAValue(EventLoop loop) throws Exception {
        assertThat(loop.<Object>run(() -> times(2).<Object>call(() -> null))).isNull();
    }

    @Test
    void oneAttemptIsNoRetry(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> times(1).call(failing(9)))
                .hasMessage("attempt 1")
                .hasNoSuppressedExceptions());
        assertThat(calls).isEqualTo(1);
    }

    @Test
    @Tag("cells")
    void theLastFailureCarriesTheOthers(EventLoop loop) throws Exception {
        loop.run(() -> {
            var last = catchThrowable(() -> times(4).call(failing(9)));
            assertThat(last).isInstanceOf(IOException.class).hasMessage("attempt 4");
            assertThat(last.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("attempt 1", "attempt 2", "attempt 3");
        });
        assertThat(calls).isEqualTo(4);
    }

    @Test
    void ofManyFailuresTheLastTenStay(EventLoop loop) throws Exception {
        loop.run(() -> {
            var last = catchThrowable(() -> times(1_000).call(failing(Integer.MAX_VALUE)));
            assertThat(last.getSuppressed()).hasSize(10).satisfies(all -> {
                assertThat(all[0]).hasMessage("attempt 990").hasNoSuppressedExceptions();
                assertThat(all[9]).hasMessage("attempt 999");
            });
        });
    }

    @Test
    void theSameExceptionObjectAgainIsNoTrouble(EventLoop loop) throws Exception {
        var same = new IOException("same");
        loop.run(() -> assertThat(catchThrowable(() -> times(3).call(() -> {
                    throw same;
                })))
                .isSameAs(same)
                .hasNoSuppressedExceptions());
    }

    @Test
    void whatTheFilterRefusesIsThrownAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(
                        () -> times(5).when(error -> !error.getMessage().endsWith("2"))
                                .call(failing(9)))
                .hasMessage("attempt 2"));
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void errorsAreNotRetriedUnlessAskedFor(EventLoop loop) throws Exception {
        Callable<String> broken = () -> {
            calls++;
            throw new AssertionError("broken");
        };
        loop.run(() -> {
            assertThatThrownBy(() -> times(3).call(broken)).isInstanceOf(AssertionError.class);
            assertThat(calls).isEqualTo(1);
            assertThatThrownBy(() -> times(3).when(error -> true).call(broken)).isInstanceOf(AssertionError.class);
            assertThat(calls).isEqualTo(4);
        });
    }

    @Test
    void aFilterThatThrowsIsHeard(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> times(3).when(error -> {
                            throw new IllegalStateException("filter");
                        })
                        .call(failing(9)))
                .hasMessage("filter")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .satisfies(error -> assertThat(error).hasMessage("attempt 1"))));
    }

    @Test
    @Tag("cells")
    void aCancelIsNeverRetried(EventLoop loop) throws Exception {
        loop.run(() -> {
            var task = loop.spawn(() -> times(5).when(error -> true).call(() -> {
                calls++;
                Turns.forever();
                return "never";
            }));
            Turns.wait(3);
            task.cancel();
            Turns.wait(5);
            assertThat(task.isCancelled()).isTrue();
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void aCancelThatTheBodyWrapsIsNotRetried(EventLoop loop) throws Exception {
        loop.run(() -> {
            var task = loop.spawn(() -> times(5).when(error -> true).call(() -> {
                calls++;
                try {
                    Turns.forever();
                } catch (CancellationException e) {
                    throw new IOException("wrapped", e);
                }
                return "never";
            }));
            Turns.wait(3);
            task.cancel();
            Turns.wait(5);
            assertThat(task.failureOrNull()).hasMessage("wrapped");
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void inAShieldItGoesOnInSpiteOfACancel(EventLoop loop) throws Exception {
        loop.run(() -> {
            var task = loop.spawn(() -> {
                var value = Task.shielded(() -> times(5).call(() -> {
                    Task.current().cancel();
                    Turns.one();
                    return failing(2).call();
                }));
                assertThat(value).isEqualTo("value of attempt 3");
                Turns.one();
                calls = -1;
            });
            assertThat(Combine.gatherOutcomes(List.of(task)).await().getFirst().error())
                    .isInstanceOf(CancellationException.class);
        });
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void aCancelThatIsYetToBeToldIsNotRetried(EventLoop loop) throws Exception {
        loop.run(() -> {
            var task = loop.spawn(() -> {
                Task.current().cancel();
                times(5).call(failing(9));
            });
            Turns.wait(3);
            assertThat(task.isDone()).isTrue();
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void aCancelDuringTheDelayEndsIt(EventLoop loop) throws Exception {
        var hour = Duration.ofHours(1);
        loop.run(() -> {
            var task = loop.spawn(() -> Retry.times(5).delays(hour, hour).call(failing(9)));
            Turns.wait(3);
            task.cancel();
            assertThat(Combine.gatherOutcomes(List.of(task)).await().getFirst().error())
                    .isInstanceOf(CancellationException.class)
                    .satisfies(cancel -> assertThat(cancel.getSuppressed())
                            .singleElement()
                            .satisfies(error -> assertThat(error).hasMessage("attempt 1")));
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void anAttemptThatTakesTooLongIsTriedAgain(EventLoop loop) throws Exception {
        var value = loop.run(() -> times(3).attemptLimit(Duration.ofMillis(5)).call(() -> {
            if (++calls < 3) {
                Turns.forever();
            }
            return "value of attempt " + calls;
        }));
        assertThat(value).isEqualTo("value of attempt 3");
    }

    @Test
    void theLastAttemptThatTakesTooLongIsATimeout(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> times(2).attemptLimit(Duration.ofMillis(5)).call(() -> {
                        calls++;
                        Turns.forever();
                        return "never";
                    }))
                    .isInstanceOf(TimeoutException.class)
                    .satisfies(last -> assertThat(last.getSuppressed()).hasSize(1));
            Turns.assertBalanced();
        });
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void aLimitAroundAllIsNoFailedAttempt(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(5))
                            .call(limit -> times(Integer.MAX_VALUE)
                                    .when(error -> true)
                                    .call(() -> {
                                        calls++;
                                        Turns.forever();
                                        return "never";
                                    })))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void delaysAreWaitedOut(EventLoop loop) throws Exception {
        var delay = Duration.ofMillis(5);
        long start = System.nanoTime();
        loop.run(() -> Retry.times(4).delays(delay, delay).jitter(0).call(failing(3)));
        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(delay.multipliedBy(3).toNanos());
    }

    @Test
    void badCallsAreRefused(EventLoop loop) throws Exception {
        assertThatThrownBy(() -> times(2).call(failing(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a retry works in a task only");
        loop.run(() -> assertThatThrownBy(() -> times(2).call(null)).hasMessage("body"));
        assertThat(calls).isZero();
    }
}
