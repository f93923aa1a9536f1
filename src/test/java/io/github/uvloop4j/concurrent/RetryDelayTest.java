package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The delays between attempts, without a loop. */
class RetryDelayTest {
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);

    private static Retry plain() {
        return Retry.times(9).jitter(0);
    }

    @Test
    void growsByTheFactorUpToTheLongest() {
        var retry = plain().delays(Duration.ofMillis(100), Duration.ofMillis(1_000));
        assertThat(IntStream.rangeClosed(1, 6)
                        .mapToObj(failures -> retry.delay(failures, 0).toMillis()))
                .containsExactly(100L, 200L, 400L, 800L, 1_000L, 1_000L);
    }

    @Test
    void aFactorOfOneStaysTheSame() {
        var retry = plain().factor(1);
        assertThat(retry.delay(1, 0)).isEqualTo(retry.delay(1_000_000, 0)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void theRandomPartIsTakenOff() {
        var retry = plain().jitter(0.25).delays(Duration.ofSeconds(8), Duration.ofSeconds(8));
        assertThat(retry.delay(1, 0)).isEqualTo(Duration.ofSeconds(8));
        assertThat(retry.delay(1, 0.5)).isEqualTo(Duration.ofSeconds(7));
        assertThat(retry.delay(1, 1)).isEqualTo(Duration.ofSeconds(6));
        assertThat(retry.jitter(1).delay(1, 1)).isZero();
    }

    @Test
    void hugeFactorsAndCountsStayBelowTheLongest() {
        var retry = plain().factor(Double.MAX_VALUE);
        assertThat(retry.delay(Integer.MAX_VALUE, 0)).isEqualTo(Duration.ofSeconds(30));
        assertThat(plain().delay(Integer.MAX_VALUE, 0)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void hugeDurationsAreAHundredYears() {
        var retry = plain().delays(HUGE, HUGE);
        assertThat(retry.delay(1, 0)).isEqualTo(retry.delay(99, 0)).isEqualTo(Duration.ofNanos(Durations.FOREVER));
        assertThat(plain().delays(Duration.ofSeconds(1), HUGE).delay(1_000, 0))
                .isEqualTo(Duration.ofNanos(Durations.FOREVER));
    }

    @Test
    void noDelayStaysNoDelay() {
        var retry = plain().delays(Duration.ZERO, HUGE).factor(Double.MAX_VALUE);
        assertThat(retry.delay(1, 0)).isZero();
        assertThat(retry.delay(99, 0)).isZero();
    }

    @Test
    void theLongestIsExact() {
        var odd = Duration.ofDays(20_000).plusNanos(1);
        assertThat(plain().delays(odd, odd).delay(2, 0)).isLessThanOrEqualTo(odd);
    }

    @Test
    void whatWouldBeNoDelayIsRefused() {
        var retry = plain();
        assertThatThrownBy(() -> retry.delay(0, 0)).hasMessage("failures must be at least 1: 0");
        assertThatThrownBy(() -> retry.delay(1, Double.NaN)).hasMessage("random must be 0 to 1: NaN");
        assertThatThrownBy(() -> retry.delay(1, 1.5)).hasMessage("random must be 0 to 1: 1.5");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, 0, -2, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void badFactorsAreRefused(double factor) {
        assertThatThrownBy(() -> plain().factor(factor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("factor")
                .hasMessageContaining(String.valueOf(factor));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void badJittersAreRefused(double jitter) {
        assertThatThrownBy(() -> plain().jitter(jitter))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jitter");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void attemptsBelowOneAreRefused(int attempts) {
        assertThatThrownBy(() -> Retry.times(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempts must be at least 1: " + attempts);
    }

    @Test
    void badDurationsAreRefused() {
        var second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> plain().delays(second.negated(), second)).hasMessageContaining("firstDelay");
        assertThatThrownBy(() -> plain().delays(second, second.minusNanos(1))).hasMessageContaining("below firstDelay");
        assertThatThrownBy(() -> plain().delays(null, second)).hasMessage("firstDelay");
        assertThatThrownBy(() -> plain().delays(second, null)).hasMessage("maxDelay");
        assertThatThrownBy(() -> plain().attemptLimit(Duration.ZERO)).hasMessageContaining("attemptLimit");
        assertThatThrownBy(() -> plain().attemptLimit(second.negated())).hasMessageContaining("attemptLimit");
        assertThatThrownBy(() -> plain().when(null)).hasMessage("when");
        assertThat(plain().attemptLimit(second).attemptLimit(null).attemptLimit())
                .isNull();
    }

    @Test
    void copiesDifferInOneThing() {
        var retry = Retry.times(3);
        assertThat(retry.attempts(4))
                .isEqualTo(new Retry(4, retry.firstDelay(), 2, retry.maxDelay(), 0.5, null, retry.when()));
        assertThat(retry.factor(3).attempts()).isEqualTo(3);
        assertThat(retry.attempts()).isEqualTo(3);
    }
}
