package io.github.uvloop4j.work;

import java.util.Locale;

/**
 * What became of a kind of work so far.
 *
 * @param kind its name
 * @param decision where the next call runs
 * @param expectedNanos how long a call is expected to take, in ns: follows long calls quickly and short ones slowly
 * @param meanNanos how long calls took on average, in ns
 * @param longestNanos how long the longest call took, in ns
 * @param callsInline how many calls ran on the loop
 * @param callsOffloaded how many calls were handed to workers
 * @param switches how often the decision changed
 * @param queueLength how many calls wait for a worker now: on the CPU pool those of all kinds and loops
 * @param rejected how many calls were refused
 */
public record WorkStatistics(
        String kind,
        Decision decision,
        long expectedNanos,
        long meanNanos,
        long longestNanos,
        long callsInline,
        long callsOffloaded,
        long switches,
        int queueLength,
        long rejected) {
    @Override
    public String toString() {
        return kind + ": " + decision + ", expected " + time(expectedNanos) + ", mean " + time(meanNanos) + ", longest "
                + time(longestNanos) + ", calls " + callsInline + " inline " + callsOffloaded + " offloaded, "
                + switches + " switches, " + queueLength + " queued, " + rejected + " rejected";
    }

    private static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        double value = nanos / 1e3;
        var unit = "us";
        if (value >= 1e6) {
            value /= 1e6;
            unit = "s";
        } else if (value >= 1e3) {
            value /= 1e3;
            unit = "ms";
        }
        return String.format(Locale.ROOT, "%.1f %s", value, unit);
    }
}
