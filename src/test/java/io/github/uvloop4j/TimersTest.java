package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class TimersTest {
    private final ArrayList<String> order = new ArrayList<>();

    private Runnable note(String name) {
        return () -> order.add(name);
    }

    private static void spin(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Tag("cells")
    void timersFireInTheOrderOfTheirDeadlines(EventLoop loop) {
        loop.callLater(Duration.ofMillis(9), loop::stop);
        loop.callLater(Duration.ofMillis(6), note("third"));
        loop.callLater(Duration.ofMillis(2), note("first"));
        loop.callLater(Duration.ofMillis(4), note("second"));
        loop.runForever();
        assertThat(order).containsExactly("first", "second", "third");
    }

    @Test
    void equalDeadlinesFireInTheOrderInWhichTheyWereSet(EventLoop loop) {
        long deadline = loop.time() + 3_000_000;
        var expected = new ArrayList<String>();
        for (int i = 0; i < 500; i++) {
            expected.add("" + i);
            loop.callAt(deadline, note("" + i));
        }
        loop.callAt(deadline, loop::stop);
        loop.runForever();
        assertThat(order).isEqualTo(expected);
    }

    @Test
    @Tag("cells")
    void noTimerFiresEarly(EventLoop loop) {
        var random = new Random(7);
        var early = new ArrayList<Long>();
        var left = new int[] {1_000};
        for (int i = 0; i < 1_000; i++) {
            long start = System.nanoTime();
            long delay = random.nextLong(60_000_000);
            loop.callLater(Duration.ofNanos(delay), () -> {
                long took = System.nanoTime() - start;
                if (took < delay) {
                    early.add(delay - took);
                }
                if (--left[0] == 0) {
                    loop.stop();
                }
            });
        }
        loop.runForever();
        assertThat(early).isEmpty();
    }

    @Test
    void aTimerSetByATimerDoesNotFireEarly(EventLoop loop) {
        var early = new ArrayList<Long>();
        var left = new int[] {300};
        var again = new Runnable[1];
        var start = new long[1];
        again[0] = () -> {
            long took = System.nanoTime() - start[0];
            if (took < 1_000_000) {
                early.add(took);
            }
            if (--left[0] == 0) {
                loop.stop();
                return;
            }
            start[0] = System.nanoTime();
            loop.callLater(Duration.ofMillis(1), again[0]);
        };
        start[0] = System.nanoTime();
        loop.callLater(Duration.ofMillis(1), again[0]);
        loop.runForever();
        assertThat(early).isEmpty();
    }

    @Test
    void aDelayCountsFromTheCallAlsoAfterALongCallback(EventLoop loop) {
        var took = new long[1];
        loop.callSoon(() -> {
            spin(Duration.ofMillis(60));
            long start = System.nanoTime();
            loop.callLater(Duration.ofMillis(20), () -> {
                took[0] = System.nanoTime() - start;
                loop.stop();
            });
        });
        loop.runForever();
        assertThat(took[0]).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void theClockGoesOnDuringACallback(EventLoop loop) {
        var times = new long[2];
        loop.callSoon(() -> {
            times[0] = loop.time();
            spin(Duration.ofMillis(2));
            times[1] = loop.time();
        });
        loop.runOnce();
        assertThat(times[1] - times[0]).isGreaterThanOrEqualTo(2_000_000);
    }

    static List<Duration> noDelay() {
        return List.of(
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofDays(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofMillis(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("noDelay")
    void noDelayIsTheNextTurnAfterWhatIsQueued(Duration delay, EventLoop loop) {
        loop.callSoon(note("before"));
        loop.callLater(delay, note("timer"));
        loop.callSoon(note("after"));
        loop.runOnce();
        assertThat(order).containsExactly("before", "timer", "after");
    }

    static List<Duration> longDelays() {
        return List.of(
                Duration.ofMillis(1L << 31),
                Duration.ofMillis(1L << 32),
                Duration.ofSeconds(1L << 55),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    @ParameterizedTest
    @MethodSource("longDelays")
    void aLongDelayNeitherFiresNorHindersOthers(Duration delay, EventLoop loop) {
        var handle = loop.callLater(delay, note("never"));
        loop.callLater(Duration.ofMillis(3), loop::stop);
        loop.runForever();
        assertThat(order).isEmpty();
        assertThat(handle.when() - loop.time()).isPositive();
        handle.cancel();
        assertThat(handle.isCancelled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 2 + 1})
    void aDeadlineOutOfRangeNeitherFiresNorHindersOthers(long deadline, EventLoop loop) {
        loop.callAt(deadline, note("never"));
        loop.callAt(loop.time() - 5, note("past"));
        loop.callAt(0, note("long past"));
        loop.callAt(-1, note("longer past"));
        loop.callLater(Duration.ofMillis(3), loop::stop);
        loop.runForever();
        assertThat(order).containsExactly("longer past", "long past", "past");
    }

    @Test
    void refusesNulls(EventLoop loop) {
        assertThatThrownBy(() -> loop.callLater(null, () -> {})).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.callLater(Duration.ZERO, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.callAt(0, null)).isInstanceOf(NullPointerException.class);
        loop.runOnce();
        assertThat(loop.backendTimeout()).isEqualTo(-1);
    }

    @Test
    void aCancelledTimerDoesNotFire(EventLoop loop) {
        var handle = loop.callLater(Duration.ofMillis(1), note("cancelled"));
        var at = loop.callAt(loop.time() + 1_000_000, note("cancelled"));
        handle.cancel();
        handle.cancel();
        at.cancel();
        loop.callLater(Duration.ofMillis(4), loop::stop);
        loop.runForever();
        assertThat(order).isEmpty();
        assertThat(handle.isCancelled()).isTrue();
        assertThat(at.isCancelled()).isTrue();
    }

    @Test
    void aTimerCanBeCancelledByAnEarlierOneOfItsTurn(EventLoop loop) {
        long deadline = loop.time() + 2_000_000;
        var second = new TimerHandle[1];
        loop.callAt(deadline, () -> {
            order.add("first");
            second[0].cancel();
        });
        second[0] = loop.callAt(deadline, note("second"));
        loop.callAt(deadline, loop::stop);
        loop.runForever();
        assertThat(order).containsExactly("first");
        assertThat(second[0].isCancelled()).isTrue();
    }

    @Test
    void aTimerWithoutDelayCanBeCancelled(EventLoop loop) {
        var handle = loop.callLater(Duration.ZERO, note("cancelled"));
        handle.cancel();
        loop.runOnce();
        assertThat(order).isEmpty();
    }

    @Test
    void theDeadlineIsKnownBeforeAndAfter(EventLoop loop) {
        long deadline = loop.time() + 1_000_000;
        var fired = loop.callAt(deadline, loop::stop);
        var cancelled = loop.callAt(deadline + 1, note("cancelled"));
        cancelled.cancel();
        assertThat(fired.when()).isEqualTo(deadline);
        assertThat(cancelled.when()).isEqualTo(deadline + 1);
        loop.runForever();
        assertThat(fired.when()).isEqualTo(deadline);
        fired.cancel();
        assertThat(fired.isCancelled()).as("it has fired").isFalse();
    }

    @Test
    void theDeadlineOfADelayIsTheSum(EventLoop loop) {
        long before = loop.time();
        var handle = loop.callLater(Duration.ofSeconds(5), note("never"));
        long after = loop.time();
        assertThat(handle.when()).isBetween(before + 5_000_000_000L, after + 5_000_000_000L);
    }

    @Test
    void aTimerWithoutDelayThatRearmsItselfStarvesNobody(EventLoop loop) {
        var rounds = new int[1];
        var again = new Runnable[1];
        again[0] = () -> {
            rounds[0]++;
            loop.callLater(Duration.ZERO, again[0]);
            loop.callAt(loop.time() - 1, () -> rounds[0]++);
        };
        loop.callSoon(again[0]);
        loop.callLater(
                Duration.ofMillis(3),
                () -> Thread.ofPlatform()
                        .start(() -> loop.post(() -> {
                            order.add("posted");
                            loop.stop();
                        })));
        loop.runForever();
        assertThat(order).containsExactly("posted");
        assertThat(rounds[0]).isGreaterThan(2);
    }

    @Test
    void anEarlierDeadlineSetElsewhereIsNotMissed(EventLoop loop) {
        loop.callLater(Duration.ofHours(1), note("never"));
        Thread.ofPlatform().start(() -> loop.post(() -> loop.callLater(Duration.ofMillis(2), loop::stop)));
        loop.runForever();
        assertThat(order).isEmpty();
    }

    @Test
    void aFailingTimerIsReportedAndHarmsNoOther(EventLoop loop, LoopExtension.Errors errors) {
        long deadline = loop.time() + 1_000_000;
        loop.callAt(deadline, () -> {
            throw new IllegalStateException("timer");
        });
        loop.callAt(deadline, note("other"));
        loop.callAt(deadline, loop::stop);
        loop.runForever();
        assertThat(order).containsExactly("other");
        assertThat(errors.take()).singleElement().satisfies(context -> {
            assertThat(context.exception()).hasMessage("timer");
            assertThat(context.source()).isInstanceOf(TimerHandle.class);
        });
    }

    @Test
    void aMillionCancelledTimersLeaveNothingBehind(EventLoop loop) {
        for (int i = 0; i < 1_000_000; i++) {
            loop.callLater(Duration.ofSeconds(1 + i % 100), note("never")).cancel();
        }
        loop.runOnce();
        assertThat(loop.backendTimeout()).isEqualTo(-1);
        loop.callLater(Duration.ofMillis(1), loop::stop);
        loop.runForever();
        assertThat(order).isEmpty();
    }

    @Test
    void timersAreCancelledAndSetAtRandomWithoutError(EventLoop loop) {
        var random = new Random(11);
        var live = new ArrayList<TimerHandle>();
        var fired = new int[1];
        int expected = 0;
        for (int i = 0; i < 20_000; i++) {
            live.add(loop.callLater(Duration.ofNanos(random.nextLong(20_000_000)), () -> fired[0]++));
            if (random.nextInt(3) == 0) {
                live.get(random.nextInt(live.size())).cancel();
            }
        }
        for (var handle : live) {
            expected += handle.isCancelled() ? 0 : 1;
        }
        loop.callLater(Duration.ofMillis(21), loop::stop);
        loop.runForever();
        assertThat(fired[0]).isEqualTo(expected);
    }
}
