package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.util.Counts;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTextTest {
    private static Histogram of(Counts counts) {
        return Histogram.of(counts.counts(), counts.sums(), counts.max());
    }

    @Test
    void nothingIsTheEmptyText() {
        assertThat(Histogram.empty().encoded()).isEmpty();
        assertThat(Histogram.decoded("", 0)).isEqualTo(Histogram.empty());
    }

    @Test
    void bucketsInUseAreWrittenWithTheirCountAndSum() {
        var counts = new Counts();
        counts.record(3);
        counts.record(3);
        counts.record(20);
        assertThat(of(counts).encoded()).isEqualTo("3:2:6,20:1:20");
    }

    @Test
    void whatWasWrittenIsReadBack() {
        var random = new Random(7);
        for (int round = 0; round < 50; round++) {
            var counts = new Counts();
            for (int i = 0; i < 200; i++) {
                counts.record(random.nextLong() >>> random.nextInt(12, 64));
            }
            var histogram = of(counts);
            assertThat(Histogram.decoded(histogram.encoded(), histogram.max())).isEqualTo(histogram);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1:2", "1:2:3:4", "-1:2:3", "100000:1:1", "1:a:3", "1:2:", ",", "1:2:3,", "1:-2:3"})
    void whatCannotBeReadIsNamed(String text) {
        assertThatThrownBy(() -> Histogram.decoded(text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no bucket of a histogram: \"");
    }
}
