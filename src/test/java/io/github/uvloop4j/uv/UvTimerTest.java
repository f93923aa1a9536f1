package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(30)
@ExtendWith(UvExtension.class)
class UvTimerTest {
    @Test
    void firesOnce(UvLoop loop) {
        var calls = new int[1];
        var timer = new UvTimer(loop);
        timer.start(() -> calls[0]++, 1, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls[0]).isEqualTo(1);
        assertThat(timer.isActive()).isFalse();
    }

    @Test
    void repeatsUntilStopped(UvLoop loop) {
        var calls = new int[1];
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    if (++calls[0] == 5) {
                        timer.stop();
                    }
                },
                0,
                1);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls[0]).isEqualTo(5);
    }

    @Test
    void neverFiresWhenStoppedBefore(UvLoop loop) {
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    throw new AssertionError("stopped");
                },
                1,
                0);
        timer.stop();
        timer.stop();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void aSecondStartReplacesTheFirst(UvLoop loop) {
        var calls = new ArrayList<String>();
        var timer = new UvTimer(loop);
        timer.start(() -> calls.add("first"), 0, 0);
        timer.start(() -> calls.add("second"), 0, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls).containsExactly("second");
    }

    @Test
    void equalTimesFireInTheOrderOfTheirStart(UvLoop loop) {
        var calls = new ArrayList<Integer>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            new UvTimer(loop).start(() -> calls.add(number), 1, 0);
        }
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls).hasSize(100).isSorted();
    }

    @Test
    void aHugeTimeoutDoesNotOverflow(UvLoop loop) {
        var fired = new ArrayList<String>();
        var huge = new UvTimer(loop);
        huge.start(() -> fired.add("huge"), Long.MAX_VALUE, 0);
        var repeating = new UvTimer(loop);
        repeating.start(() -> fired.add("repeating"), 0, Long.MAX_VALUE);
        new UvTimer(loop)
                .start(
                        () -> {
                            fired.add("tiny");
                            huge.close();
                            repeating.close();
                        },
                        1,
                        0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(fired).containsExactly("repeating", "tiny");
    }

    @Test
    void dueInCountsDown(UvLoop loop) {
        loop.updateTime();
        var timer = new UvTimer(loop);
        timer.start(() -> {}, 10_000, 0);
        assertThat(timer.dueIn()).isBetween(1L, 10_000L);
        timer.start(() -> {}, 0, 0);
        assertThat(timer.dueIn()).isZero();
    }

    @Test
    void againRestartsWithTheRepeatTime(UvLoop loop) {
        var calls = new int[1];
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    calls[0]++;
                    timer.stop();
                },
                60_000,
                1);
        timer.again();
        assertThat(timer.dueIn()).isLessThanOrEqualTo(1);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls[0]).isEqualTo(1);
    }

    @Test
    void againFailsOnATimerThatWasNeverStarted(UvLoop loop) {
        var timer = new UvTimer(loop);
        assertThatThrownBy(timer::again)
                .isInstanceOf(UvException.class)
                .hasMessage("timer again: EINVAL (invalid argument)");
    }

    @Test
    void againStopsNothingAndStartsNothingWithoutARepeatTime(UvLoop loop) {
        var timer = new UvTimer(loop);
        timer.start(() -> {}, 60_000, 0);
        timer.again();
        assertThat(timer.dueIn()).isGreaterThan(50_000);
    }

    @Test
    void repeatChangesFromTheNextExpiryOn(UvLoop loop) {
        var calls = new int[1];
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    if (++calls[0] == 3) {
                        timer.stop();
                    }
                },
                0,
                60_000);
        timer.repeat(1);
        assertThat(timer.repeat()).isEqualTo(1);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls[0]).isEqualTo(3);
    }

    @Test
    void aLateTimerDoesNotFireTwice(UvLoop loop) {
        var calls = new int[1];
        var timer = new UvTimer(loop);
        timer.start(() -> calls[0]++, 1, 1);
        long began = System.nanoTime();
        while (System.nanoTime() - began < 20_000_000) {
            Thread.onSpinWait();
        }
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(calls[0]).isLessThanOrEqualTo(2);
    }

    @Test
    void anUnreferencedTimerDoesNotFireWhenNothingElseRuns(UvLoop loop) {
        var fired = new boolean[1];
        var timer = new UvTimer(loop);
        timer.start(() -> fired[0] = true, 1, 0);
        timer.unref();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(fired[0]).isFalse();
    }

    @Test
    void aTimerStartedInACheckFires(UvLoop loop) {
        var fired = new boolean[1];
        var check = new UvCheck(loop);
        var idle = new UvIdle(loop);
        var timer = new UvTimer(loop);
        idle.start(() -> {});
        check.start(() -> {
            idle.stop();
            check.stop();
            timer.start(() -> fired[0] = true, 1, 0);
        });
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(fired[0]).isTrue();
    }

    @Test
    void anotherTimersCallbackCanStopIt(UvLoop loop) {
        var fired = new ArrayList<String>();
        var first = new UvTimer(loop);
        var second = new UvTimer(loop);
        first.start(
                () -> {
                    fired.add("first");
                    second.close();
                },
                1,
                0);
        second.start(() -> fired.add("second"), 1, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(fired).containsExactly("first");
    }

    @Test
    void badArgumentsFailAtOnce(UvLoop loop) {
        var timer = new UvTimer(loop);
        assertThatThrownBy(() -> timer.start(() -> {}, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timer.start(() -> {}, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timer.repeat(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timer.start(null, 0, 0)).isInstanceOf(NullPointerException.class);
        assertThat(timer.isActive()).isFalse();
    }

    @Test
    void everyMethodThrowsAfterClose(UvLoop loop) {
        var timer = new UvTimer(loop);
        timer.close();
        assertThatThrownBy(() -> timer.start(() -> {}, 1, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(timer::stop).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(timer::again).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(timer::dueIn).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(timer::repeat).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> timer.repeat(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aThrowingCallbackStaysArmedWhenItRepeats(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    if (errors.size() == 2) {
                        timer.stop();
                    }
                    throw new IllegalStateException("mine");
                },
                0,
                1);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(errors).hasSize(3);
    }
}
