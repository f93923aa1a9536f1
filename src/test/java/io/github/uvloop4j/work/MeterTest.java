package io.github.uvloop4j.work;

import static io.github.uvloop4j.work.Decision.INLINE;
import static io.github.uvloop4j.work.Decision.OFFLOAD;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The decision, fed with durations in microseconds and the time that they add up to. */
class MeterTest {
    private static final WorkPolicy POLICY = WorkPolicy.cpuBound()
            .thresholds(Duration.ofNanos(100_000), Duration.ofNanos(200_000))
            .minCalls(16)
            .dwell(Duration.ZERO);

    private static final int FEW = 2 * (11 + 4) + 1;

    private long now = 5;

    private boolean record(Meter meter, long micros) {
        now += micros * 1_000;
        return meter.record(micros * 1_000, now);
    }

    private int feed(Meter meter, int calls, LongUnaryOperator micros) {
        int switches = 0;
        for (int i = 0; i < calls; i++) {
            if (record(meter, micros.applyAsLong(i))) {
                switches++;
            }
        }
        return switches;
    }

    private Meter inline() {
        return new Meter(POLICY.start(INLINE));
    }

    private Meter offloaded() {
        return new Meter(POLICY);
    }

    @Test
    void startsWhereThePolicySays() {
        assertThat(inline().decision()).isEqualTo(INLINE);
        assertThat(offloaded().decision()).isEqualTo(OFFLOAD);
        assertThat(offloaded().mean()).isZero();
        assertThat(offloaded().isShort()).isFalse();
    }

    @Test
    void aShortKindComesToTheLoopAfterTheFewestCalls() {
        var meter = offloaded();
        assertThat(feed(meter, 15, i -> 5)).isZero();
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
        assertThat(record(meter, 5)).isTrue();
        assertThat(meter.decision()).isEqualTo(INLINE);
        assertThat(meter.switches()).isEqualTo(1);
    }

    @Test
    void aShortKindStaysOnTheLoop() {
        var meter = inline();
        assertThat(feed(meter, 100_000, i -> i % 100)).isZero();
        assertThat(meter.decision()).isEqualTo(INLINE);
    }

    @Test
    void aLongKindStaysOffTheLoop() {
        var meter = offloaded();
        assertThat(feed(meter, 100_000, i -> 300 + i % 100)).isZero();
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void aKindThatGrowsLeavesTheLoop() {
        var meter = inline();
        assertThat(feed(meter, 1_000, i -> 10)).isZero();
        assertThat(feed(meter, 20, i -> 300)).isEqualTo(1);
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void oneVeryLongCallIsEnough() {
        var meter = inline();
        feed(meter, 1_000, i -> 1);
        assertThat(record(meter, 10_000)).isTrue();
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
        assertThat(meter.longest()).isEqualTo(10_000_000);
    }

    @Test
    void theFirstCallOfAKindIsEnoughToo() {
        var meter = inline();
        assertThat(record(meter, 201)).isTrue();
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void betweenTheThresholdsNothingMoves() {
        var here = inline();
        var there = offloaded();
        assertThat(feed(here, 10_000, i -> 110 + i % 80)).isZero();
        assertThat(feed(there, 10_000, i -> 110 + i % 80)).isZero();
        assertThat(here.decision()).isEqualTo(INLINE);
        assertThat(there.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void comesBackAfterALongCallWasForgotten() {
        var meter = inline();
        feed(meter, 1_000, i -> 5);
        record(meter, 1_000_000);
        assertThat(feed(meter, 1_000, i -> 5)).isEqualTo(1);
        assertThat(meter.decision()).isEqualTo(INLINE);
    }

    @Test
    void staysAwayForItsDwell() {
        var meter = new Meter(POLICY.start(INLINE).dwell(Duration.ofMillis(20)));
        record(meter, 1_000);
        long left = now;
        while (meter.decision() == OFFLOAD) {
            record(meter, 1);
        }
        assertThat(now - left).isEqualTo(20_000_000);
    }

    @Test
    void theDwellDoesNotHoldUpTheFirstComing() {
        var meter = new Meter(POLICY.dwell(Duration.ofDays(1)));
        assertThat(feed(meter, 16, i -> 1)).isEqualTo(1);
    }

    @Test
    void aDwellWithoutEndNeverEnds() {
        var meter = new Meter(POLICY.start(INLINE).dwell(Duration.ofSeconds(Long.MAX_VALUE)));
        record(meter, 1_000);
        assertThat(feed(meter, 100_000, i -> 1)).isZero();
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void thresholdsWithoutEndNeverMoveIt() {
        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        var meter = new Meter(POLICY.start(INLINE).thresholds(forever, forever));
        assertThat(meter.record(Long.MAX_VALUE >> 1, Long.MAX_VALUE >> 1)).isFalse();
        assertThat(meter.decision()).isEqualTo(INLINE);
    }

    @Test
    void afterADirectSwitchTheNumberOfCallsStartsAgain() {
        var meter = inline();
        feed(meter, 1_000, i -> 1);
        record(meter, 850);
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
        assertThat(feed(meter, 15, i -> 1)).isZero();
        feed(meter, 30, i -> 1);
        assertThat(meter.decision()).isEqualTo(INLINE);
    }

    @Test
    void alternatingAroundTheUpperThresholdMovesItOnce() {
        var meter = inline();
        assertThat(feed(meter, 100_000, i -> i % 2 == 0 ? 150 : 290)).isEqualTo(1);
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    @Test
    void alternatingAroundTheLowerThresholdMovesNothing() {
        var here = inline();
        var there = offloaded();
        assertThat(feed(here, 100_000, i -> i % 2 == 0 ? 60 : 140)).isZero();
        assertThat(feed(there, 100_000, i -> i % 2 == 0 ? 60 : 140)).isZero();
    }

    @Test
    void alternatingFarBeyondBothSettlesOffTheLoop() {
        var meter = inline();
        assertThat(feed(meter, 100_000, i -> i % 2 == 0 ? 1 : 5_000)).isEqualTo(1);
        assertThat(meter.decision()).isEqualTo(OFFLOAD);
    }

    /**
     * Each stay off the loop is twice as many calls as the one before: 16, 32, up to 16,384 of them are 32,752 calls,
     * and 4 more of the longest fit into 100,000.
     */
    @Test
    void changingInWavesMovesItFewTimes() {
        for (int length : new int[] {20, 50, 100, 150}) {
            var meter = inline();
            int switches = feed(meter, 100_000, i -> i / length % 2 == 0 ? 10 : 1_000);
            assertThat(switches).as("waves of %d calls", length).isBetween(1, FEW);
        }
    }

    @Test
    void rareLongCallsAtRandomMoveItFewTimes() {
        var random = new Random(42);
        var meter = inline();
        int switches = feed(meter, 100_000, i -> random.nextInt(60) == 0 ? 2_000 : 5);
        assertThat(switches).isBetween(1, FEW);
    }

    @Test
    void longPhasesAreFollowedEachTime() {
        var meter = inline();
        assertThat(feed(meter, 100_000, i -> i / 10_000 % 2 == 0 ? 10 : 1_000)).isEqualTo(9);
    }

    @Test
    void aFixedKindNeverMoves() {
        var here = new Meter(WorkPolicy.inline());
        var there = new Meter(WorkPolicy.offloaded());
        assertThat(feed(here, 1_000, i -> 1_000_000)).isZero();
        assertThat(feed(there, 1_000, i -> 0)).isZero();
        assertThat(here.decision()).isEqualTo(INLINE);
        assertThat(there.decision()).isEqualTo(OFFLOAD);
        assertThat(there.isShort()).isFalse();
    }

    @Test
    void keepsTheFigures() {
        var meter = inline();
        record(meter, 10);
        record(meter, 30);
        record(meter, 20);
        assertThat(meter.mean()).isEqualTo(20_000);
        assertThat(meter.longest()).isEqualTo(30_000);
        assertThat(meter.expected()).isBetween(10_000L, 30_000L);
        assertThat(meter.switches()).isZero();
    }

    @Test
    void aConstantDurationIsExpectedExactly() {
        var meter = inline();
        feed(meter, 1_000, i -> 50);
        assertThat(meter.expected()).isEqualTo(50_000);
    }

    @Test
    void aKindWithinTheUpperThresholdIsShort() {
        var meter = offloaded();
        feed(meter, 10, i -> 150);
        assertThat(meter.isShort()).isTrue();
        feed(meter, 100, i -> 250);
        assertThat(meter.isShort()).isFalse();
    }
}
