package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.concurrent.Histogram;
import java.util.List;

/** A histogram of times in few ranges, each ten times as wide as the one before. */
public final class Sizes {
    private static final long[] LEAST = {0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000};

    /** What people call the ranges. */
    public static final List<String> LABELS =
            List.of("< 10 us", "10-100 us", "0.1-1 ms", "1-10 ms", "10-100 ms", "0.1-1 s", "> 1 s");

    /** What programs call them: the least time of each, in us. */
    public static final List<String> KEYS = List.of("0", "10", "100", "1000", "10000", "100000", "1000000");

    private Sizes() {}

    /** How many values are in each range. */
    public static long[] counts(Histogram histogram) {
        return differences(histogram::countFrom);
    }

    /** What the values in each range add up to. */
    public static long[] totals(Histogram histogram) {
        return differences(histogram::totalFrom);
    }

    private static long[] differences(java.util.function.LongUnaryOperator from) {
        var parts = new long[LEAST.length];
        for (var i = 0; i < parts.length; i++) {
            var next = i + 1 < parts.length ? from.applyAsLong(LEAST[i + 1]) : 0;
            parts[i] = Math.max(0, from.applyAsLong(LEAST[i]) - next);
        }
        return parts;
    }
}
