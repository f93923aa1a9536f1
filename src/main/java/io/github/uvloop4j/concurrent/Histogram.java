package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Counts;
import java.util.Arrays;
import java.util.Locale;

/**
 * How large something was, each time: durations in ns unless it says otherwise. A snapshot, whose values are at most
 * 6.25 % off; the greatest and the sum are exact.
 *
 * <p>Percentiles come in two kinds. By count, half of all turns were shorter than {@code percentile(50)}. By weight,
 * half of all time passed in turns that were shorter than {@code weightedPercentile(50)}: so that one long stall weighs
 * what it lasted, however many short turns there were beside it. Immutable. Any thread.
 */
public final class Histogram {
    private static final Histogram EMPTY = new Histogram(new long[Counts.BUCKETS], new long[Counts.BUCKETS], 0);

    private final long[] counts;
    private final long[] sums;
    private final long max;

    private Histogram(long[] counts, long[] sums, long max) {
        this.counts = counts;
        this.sums = sums;
        this.max = max;
    }

    /** Nothing. */
    public static Histogram empty() {
        return EMPTY;
    }

    /**
     * What a recorder of this library has counted.
     *
     * @param counts how many values each of its buckets has
     * @param sums what those add up to
     * @param max the greatest of all
     */
    public static Histogram of(long[] counts, long[] sums, long max) {
        if (counts.length != Counts.BUCKETS || sums.length != Counts.BUCKETS) {
            throw new IllegalArgumentException("there are " + Counts.BUCKETS + " buckets");
        }
        return new Histogram(counts.clone(), sums.clone(), max);
    }

    /**
     * What {@link #encoded} has written.
     *
     * @param text buckets that are in use, with a comma between them
     * @param max the greatest of all, which the text does not tell
     * @throws IllegalArgumentException which says what cannot be read
     */
    public static Histogram decoded(String text, long max) {
        var counts = new long[Counts.BUCKETS];
        var sums = new long[Counts.BUCKETS];
        if (!text.isEmpty()) {
            for (var bucket : text.split(",", -1)) {
                decode(bucket, counts, sums);
            }
        }
        return new Histogram(counts, sums, max);
    }

    private static void decode(String bucket, long[] counts, long[] sums) {
        var parts = bucket.split(":", -1);
        try {
            int index = Integer.parseInt(parts[0]);
            if (parts.length == 3 && index >= 0 && index < counts.length) {
                counts[index] = Long.parseUnsignedLong(parts[1]);
                sums[index] = Long.parseUnsignedLong(parts[2]);
                return;
            }
        } catch (NumberFormatException unreadable) {
            // It is told below.
        }
        throw new IllegalArgumentException("no bucket of a histogram: \"" + bucket + '"');
    }

    /** The buckets that are in use as {@code index:count:sum}, with a comma between them; empty when there was nothing. */
    public String encoded() {
        var text = new StringBuilder();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0 || sums[i] != 0) {
                text.append(text.isEmpty() ? "" : ",");
                text.append(i).append(':').append(counts[i]).append(':').append(sums[i]);
            }
        }
        return text.toString();
    }

    /** How often. */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    /** All values together. */
    public long total() {
        return Arrays.stream(sums).sum();
    }

    /** The greatest value; 0 when there was none. Of {@link #since}: the greatest from the start on. */
    public long max() {
        return max;
    }

    /** The mean; 0 when there was none. */
    public double mean() {
        long count = count();
        return count == 0 ? 0 : (double) total() / count;
    }

    /**
     * The value that so many per cent of all keep to, at most 6.25 % more than the true one; 0 when there was none.
     *
     * @param percent 0 to 100
     */
    public long percentile(double percent) {
        return at(counts, percent);
    }

    /** The value that those keep to which make up so many per cent of the total. Otherwise as {@link #percentile}. */
    public long weightedPercentile(double percent) {
        return at(sums, percent);
    }

    private long at(long[] weights, double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent must be 0 to 100: " + percent);
        }
        long wanted = Math.max(1, (long) Math.ceil(Arrays.stream(weights).sum() * (percent / 100)));
        long seen = 0;
        for (int i = 0; i < weights.length; i++) {
            seen += weights[i];
            if (seen >= wanted) {
                return Math.min(max, Counts.most(i));
            }
        }
        return max;
    }

    /** How many were at least so large, as far as the buckets tell. */
    public long countFrom(long least) {
        return Arrays.stream(counts, Counts.bucket(Math.max(0, least)), counts.length)
                .sum();
    }

    /** What those add up to that were at least so large, as far as the buckets tell. */
    public long totalFrom(long least) {
        return Arrays.stream(sums, Counts.bucket(Math.max(0, least)), sums.length)
                .sum();
    }

    /** Both together, as of two loops. */
    public Histogram plus(Histogram other) {
        return new Histogram(
                combined(counts, other.counts, 1), combined(sums, other.sums, 1), Math.max(max, other.max));
    }

    /** What came after an earlier snapshot of the same. */
    public Histogram since(Histogram earlier) {
        return new Histogram(combined(counts, earlier.counts, -1), combined(sums, earlier.sums, -1), max);
    }

    private static long[] combined(long[] a, long[] b, int sign) {
        var result = new long[a.length];
        for (int i = 0; i < a.length; i++) {
            result[i] = Math.max(0, a[i] + sign * b[i]);
        }
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Histogram histogram
                && max == histogram.max
                && Arrays.equals(counts, histogram.counts)
                && Arrays.equals(sums, histogram.sums);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts) * 31 + Long.hashCode(max);
    }

    /** The count, some percentiles and the greatest. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d, p50 %d, p99 %d, max %d", count(), percentile(50), percentile(99), max);
    }
}
