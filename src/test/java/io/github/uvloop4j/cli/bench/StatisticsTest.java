package io.github.uvloop4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianIsTheMiddle() {
        assertThat(Statistics.median(9, 1, 5)).isEqualTo(5);
        assertThat(Statistics.median(4, 1)).isEqualTo(2.5);
        assertThat(Statistics.median()).isNaN();
    }

    @Test
    void oneRoundHasNoInterval() {
        var ratio = Statistics.ratio(1.5);

        assertThat(ratio.ratio()).isCloseTo(1.5, within(1e-9));
        assertThat(ratio.low()).isNaN();
    }

    @Test
    void intervalIsStudentsOfTheLogarithms() {
        var ratio = Statistics.ratio(0.5, 2, 1);

        assertThat(ratio.ratio()).isCloseTo(1, within(1e-9));
        assertThat(Math.log(ratio.high())).isCloseTo(4.303 * Math.log(2) / Math.sqrt(3), within(1e-9));
        assertThat(ratio.low()).isCloseTo(1 / ratio.high(), within(1e-9));
    }
}
