package io.github.uvloop4j.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.uvloop4j.work.WorkPolicy.Place;
import io.github.uvloop4j.work.WorkPolicy.WhenFull;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkPolicyTest {
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);
    private final WorkPolicy policy = WorkPolicy.cpuBound();

    @Test
    void presetsDifferInWhatTheyAreFor() {
        assertThat(WorkPolicy.shortCpu())
                .matches(kind -> kind.adaptive()
                        && kind.start() == Decision.INLINE
                        && kind.whenFull() == WhenFull.INLINE_IF_SHORT);
        assertThat(policy)
                .matches(cpu -> cpu.adaptive() && cpu.start() == Decision.OFFLOAD && cpu.place() == Place.CPU_POOL);
        assertThat(WorkPolicy.blocking())
                .matches(blocking -> !blocking.adaptive()
                        && blocking.start() == Decision.OFFLOAD
                        && blocking.place() == Place.EXECUTOR);
        assertThat(WorkPolicy.inline()).matches(fixed -> !fixed.adaptive() && fixed.start() == Decision.INLINE);
        assertThat(WorkPolicy.offloaded())
                .matches(fixed ->
                        !fixed.adaptive() && fixed.start() == Decision.OFFLOAD && fixed.place() == Place.CPU_POOL);
    }

    @Test
    void theQueueLimitIsOneAndAHalfTimesTheProcessors() {
        assertThat(policy.queueLimit())
                .isEqualTo((int) (1.5 * Runtime.getRuntime().availableProcessors()));
    }

    @Test
    void copiesDifferInOneComponent() {
        var changed = policy.start(Decision.INLINE)
                .adaptive(false)
                .place(Place.EXECUTOR)
                .inlineBelow(Duration.ofNanos(1))
                .offloadAbove(Duration.ofNanos(2))
                .minCalls(3)
                .dwell(Duration.ofNanos(4))
                .queueLimit(5)
                .whenFull(WhenFull.REJECT);
        assertThat(changed)
                .isEqualTo(new WorkPolicy(
                        Decision.INLINE,
                        false,
                        Place.EXECUTOR,
                        Duration.ofNanos(1),
                        Duration.ofNanos(2),
                        3,
                        Duration.ofNanos(4),
                        5,
                        WhenFull.REJECT));
        assertThat(policy).isEqualTo(WorkPolicy.cpuBound());
    }

    @Test
    void nullsAreNamed() {
        assertThatNullPointerException().isThrownBy(() -> policy.start(null)).withMessage("start");
        assertThatNullPointerException().isThrownBy(() -> policy.place(null)).withMessage("place");
        assertThatNullPointerException().isThrownBy(() -> policy.whenFull(null)).withMessage("whenFull");
        assertThatNullPointerException()
                .isThrownBy(() -> policy.inlineBelow(null))
                .withMessage("inlineBelow");
        assertThatNullPointerException()
                .isThrownBy(() -> policy.offloadAbove(null))
                .withMessage("offloadAbove");
        assertThatNullPointerException().isThrownBy(() -> policy.dwell(null)).withMessage("dwell");
    }

    @Test
    void whatIsOutOfRangeIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.inlineBelow(Duration.ZERO))
                .withMessageContaining("inlineBelow must be positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.inlineBelow(Duration.ofNanos(-1)))
                .withMessageContaining("inlineBelow");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.thresholds(Duration.ofNanos(2), Duration.ofNanos(1)))
                .withMessageContaining("offloadAbove must not be less than inlineBelow");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.minCalls(0))
                .withMessageContaining("minCalls");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.minCalls(Integer.MAX_VALUE))
                .withMessageContaining("minCalls");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.dwell(Duration.ofNanos(-1)))
                .withMessageContaining("dwell");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.queueLimit(-1))
                .withMessageContaining("queueLimit");
    }

    @Test
    void hugeDurationsAreForEver() {
        assertThat(policy.thresholds(HUGE, HUGE).dwell(HUGE).dwell()).isEqualTo(HUGE);
        assertThat(WorkPolicy.nanos(HUGE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void statisticsAreReadable() {
        var figures = new WorkStatistics("parse", Decision.INLINE, 950, 1_200, 12_300_000, 1_000, 20, 1, 3, 0);
        assertThat(figures)
                .hasToString("parse: INLINE, expected 950 ns, mean 1.2 us, longest 12.3 ms,"
                        + " calls 1000 inline 20 offloaded, 1 switches, 3 queued, 0 rejected");
        assertThat(new WorkStatistics("x", Decision.OFFLOAD, 2_500_000_000L, 0, 0, 0, 0, 0, 0, 0).toString())
                .contains("expected 2.5 s, mean 0 ns");
    }
}
