package io.github.uvloop4j.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.Histogram;
import org.junit.jupiter.api.Test;

class SpanTest {
    private static Span span(LoopSnapshot.Builder from, LoopSnapshot.Builder to) {
        return new Span(from.build(), to.build());
    }

    private static LoopSnapshot.Builder at(double seconds) {
        return new LoopSnapshot.Builder(Seen.at(seconds));
    }

    @Test
    void ratesAreOfTheTimeBetween() {
        var span = span(
                at(1).count(Counter.TURNS, 100).count(Counter.BYTES_SENT, 10),
                at(3).count(Counter.TURNS, 700).count(Counter.BYTES_SENT, 10));

        assertThat(span.seconds()).isEqualTo(2);
        assertThat(span.perSecond(Counter.TURNS)).isEqualTo(300);
        assertThat(span.perSecond(Counter.BYTES_SENT)).isZero();
    }

    @Test
    void nothingIsDividedByNothing() {
        var span = span(at(1).count(Counter.TURNS, 1), at(1).count(Counter.TURNS, 9));

        assertThat(span.perSecond(Counter.TURNS)).isZero();
        assertThat(span.busyShare()).isZero();
        assertThat(span.shareOfPolls(Counter.POLLS_FOR_READY)).isZero();
        assertThat(span.histogram(Distribution.TURNS)).isEqualTo(Histogram.empty());
        assertThat(span.max(Distribution.TURNS)).isZero();
    }

    @Test
    void aCounterThatWentBackCountsAsNothing() {
        assertThat(span(at(0).count(Counter.CALLS, 9), at(1).count(Counter.CALLS, 2))
                        .count(Counter.CALLS))
                .isZero();
    }

    @Test
    void theGreatestIsExactWhereItIsNew() {
        var before = at(0).histogram(Distribution.TURNS, "100:1:1000", 1000);
        var after = at(1).histogram(Distribution.TURNS, "100:1:1000,400:2:5000", 123_456_789);

        assertThat(span(before, after).max(Distribution.TURNS)).isEqualTo(123_456_789);
        assertThat(span(before, after).histogram(Distribution.TURNS).count()).isEqualTo(2);
    }

    @Test
    void theGreatestOfBeforeDoesNotCount() {
        var before = at(0).histogram(Distribution.TURNS, "400:1:9000", 987_654_321);
        var after = at(1).histogram(Distribution.TURNS, "10:5:50,400:1:9000", 987_654_321);

        assertThat(span(before, after).max(Distribution.TURNS)).isEqualTo(10);
    }

    @Test
    void aHistogramThatCannotBeReadIsEmpty() {
        var snapshot = at(0).histogram(Distribution.POLLS, "1:2", 5).build();

        assertThat(snapshot.histogram(Distribution.POLLS)).isEqualTo(Histogram.empty());
    }
}
