package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountsTest {
    @Test
    void bucketsFollowEachOtherWithoutAGap() {
        assertThat(Counts.least(0)).isZero();
        for (int i = 0; i + 1 < Counts.BUCKETS; i++) {
            assertThat(Counts.most(i) + 1).isEqualTo(Counts.least(i + 1));
            assertThat(Counts.bucket(Counts.least(i))).isEqualTo(i);
            assertThat(Counts.bucket(Counts.most(i))).isEqualTo(i);
        }
    }

    @Test
    void aBucketIsAtMostASixteenthWide() {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong(1L << random.nextInt(1, 43));
            int bucket = Counts.bucket(value);
            assertThat(value).isBetween(Counts.least(bucket), Counts.most(bucket));
            if (bucket < Counts.BUCKETS - 1) {
                assertThat(Counts.most(bucket) - Counts.least(bucket)).isLessThanOrEqualTo(value / 16);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 43, 1L << 60, Long.MAX_VALUE})
    void whatIsTooGreatIsInTheLastBucket(long value) {
        assertThat(Counts.bucket(value)).isEqualTo(Counts.BUCKETS - 1);
    }

    @Test
    void countsValuesAndWhatTheyAddUpTo() {
        var counts = new Counts();
        counts.record(3);
        counts.record(3);
        counts.record(-5);
        assertThat(counts.counts()[3]).isEqualTo(2);
        assertThat(counts.sums()[3]).isEqualTo(6);
        assertThat(counts.counts()[0]).isEqualTo(1);
        assertThat(counts.max()).isEqualTo(3);
    }
}
