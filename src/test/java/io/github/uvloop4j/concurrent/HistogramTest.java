package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.uvloop4j.util.Counts;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {
    private static final Percentage WIDTH = Percentage.withPercentage(6.25);

    private static Histogram of(long... values) {
        var counts = new Counts();
        for (long value : values) {
            counts.record(value);
        }
        return of(counts);
    }

    private static Histogram of(Counts counts) {
        return Histogram.of(counts.counts(), counts.sums(), counts.max());
    }

    @Test
    void countsAndAddsUp() {
        var histogram = of(100, 200, 600);
        assertThat(histogram.count()).isEqualTo(3);
        assertThat(histogram.total()).isEqualTo(900);
        assertThat(histogram.mean()).isEqualTo(300);
        assertThat(histogram.max()).isEqualTo(600);
    }

    @Test
    void nothingIsZeroThroughout() {
        var none = Histogram.empty();
        assertThat(none.count()).isZero();
        assertThat(none.mean()).isZero();
        assertThat(none.percentile(50)).isZero();
        assertThat(none.weightedPercentile(99)).isZero();
        assertThat(none.max()).isZero();
    }

    @Test
    void percentilesAreRoundedUpByLessThanASixteenth() {
        var values = new long[1000];
        for (int i = 0; i < values.length; i++) {
            values[i] = 1000L * (i + 1);
        }
        var histogram = of(values);
        assertThat(histogram.percentile(50)).isGreaterThanOrEqualTo(500_000).isCloseTo(500_000, WIDTH);
        assertThat(histogram.percentile(99)).isGreaterThanOrEqualTo(990_000).isCloseTo(990_000, WIDTH);
        assertThat(histogram.percentile(100)).isEqualTo(1_000_000);
        assertThat(histogram.percentile(0)).isCloseTo(1000, WIDTH);
    }

    @Test
    void oneLongStallWeighsWhatItLasted() {
        var values = new long[10_001];
        java.util.Arrays.fill(values, 1_000);
        values[7] = 500_000_000;
        var histogram = of(values);
        assertThat(histogram.percentile(99)).isCloseTo(1_000, WIDTH);
        assertThat(histogram.weightedPercentile(50)).isEqualTo(500_000_000);
        assertThat(histogram.weightedPercentile(1)).isCloseTo(1_000, WIDTH);
    }

    @Test
    void theDistanceToTheTrueMeanIsNone() {
        assertThat(of(1, 2, 4).mean()).isCloseTo(7 / 3.0, within(1e-9));
    }

    @Test
    void histogramsAddUp() {
        var both = of(10, 20).plus(of(20, 40));
        assertThat(both).isEqualTo(of(10, 20, 20, 40));
        assertThat(both.max()).isEqualTo(40);
    }

    @Test
    void whatCameSinceIsTheDifference() {
        var counts = new Counts();
        counts.record(10);
        var before = of(counts);
        counts.record(30);
        var since = of(counts).since(before);
        assertThat(since.count()).isEqualTo(1);
        assertThat(since.total()).isEqualTo(30);
    }

    @Test
    void countsThoseFromALengthOn() {
        assertThat(of(10, 1_000, 1_000_000).countFrom(1_000)).isEqualTo(2);
        assertThat(of(10, 1_000).countFrom(-1)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 100.1, Double.NaN})
    void percentsOutOfRangeAreRefused(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1).percentile(percent))
                .withMessageContaining("percent");
    }
}
