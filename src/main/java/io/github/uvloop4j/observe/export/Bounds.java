package io.github.uvloop4j.observe.export;

import io.github.uvloop4j.concurrent.Histogram;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The bounds at which durations are exported: the doublings from 1.024 us to 8.59 s. A loop counts in buckets that end
 * there, so that what is exported is exact, and the same everywhere: it can be added up over loops and machines.
 */
public final class Bounds {
    private static final int LOWEST_BIT = 10;
    private static final int HIGHEST_BIT = 33;

    /** How many there are. */
    public static final int COUNT = HIGHEST_BIT - LOWEST_BIT + 1;

    private static final List<Double> SECONDS =
            IntStream.range(0, COUNT).mapToObj(i -> decimal(i).doubleValue()).toList();

    private Bounds() {}

    private static long nanos(int index) {
        return 1L << (LOWEST_BIT + index);
    }

    private static BigDecimal decimal(int index) {
        return BigDecimal.valueOf(nanos(index), 9);
    }

    /** All, in seconds. */
    public static List<Double> seconds() {
        return SECONDS;
    }

    /** One as a label, in seconds; that of the index {@link #COUNT} is {@code +Inf}. */
    public static String label(int index) {
        return index == COUNT ? "+Inf" : decimal(index).stripTrailingZeros().toPlainString();
    }

    /** How many values are within each bound, and behind them how many there are. */
    public static long[] cumulative(Histogram histogram) {
        var within = new long[COUNT + 1];
        long all = histogram.count();
        for (int i = 0; i < COUNT; i++) {
            within[i] = all - histogram.countFrom(nanos(i));
        }
        within[COUNT] = all;
        return within;
    }
}
