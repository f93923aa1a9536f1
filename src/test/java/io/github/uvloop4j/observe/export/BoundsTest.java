package io.github.uvloop4j.observe.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.util.Counts;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BoundsTest {
    private static Histogram of(long... nanos) {
        var counts = new Counts();
        LongStream.of(nanos).forEach(counts::record);
        return Histogram.of(counts.counts(), counts.sums(), counts.max());
    }

    @Test
    void boundsAreDoublings() {
        assertThat(Bounds.seconds()).hasSize(Bounds.COUNT).isSorted();
        assertThat(Bounds.seconds().getFirst()).isEqualTo(1.024e-6);
        assertThat(Bounds.seconds().getLast()).isEqualTo(8.589934592);
    }

    @Test
    void labelsAreNumbersThatPrometheusReadsBack() {
        assertThat(Bounds.label(0)).isEqualTo("0.000001024");
        assertThat(Bounds.label(Bounds.COUNT)).isEqualTo("+Inf");
        assertThat(IntStream.range(0, Bounds.COUNT).mapToObj(Bounds::label).map(Double::valueOf))
                .isEqualTo(Bounds.seconds());
    }

    @Test
    void countsAreExactAtEachBound() {
        for (int i = 0; i < Bounds.COUNT; i++) {
            long bound = Math.round(Bounds.seconds().get(i) * 1e9);
            var within = Bounds.cumulative(of(0, bound / 2, bound - 1, bound, 2 * bound, Long.MAX_VALUE / 2));
            assertThat(within[i]).as("within %d ns", bound).isEqualTo(3);
            assertThat(within[Bounds.COUNT]).isEqualTo(6);
        }
    }

    @Test
    void nothingIsWithinTheBoundsOfNothing() {
        assertThat(Bounds.cumulative(Histogram.empty())).containsOnly(0);
    }

    @Test
    void bucketsOfTwoAddUpToThoseOfBoth() {
        var one = of(5_000, 40_000);
        var other = of(3_000_000, 6_000, 20_000_000_000L);
        var sum = Bounds.cumulative(one.plus(other));
        var a = Bounds.cumulative(one);
        var b = Bounds.cumulative(other);
        assertThat(sum)
                .isEqualTo(IntStream.range(0, sum.length)
                        .mapToLong(i -> a[i] + b[i])
                        .toArray());
    }
}
