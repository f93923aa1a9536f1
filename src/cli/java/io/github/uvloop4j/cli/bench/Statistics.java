package io.github.uvloop4j.cli.bench;

import java.util.Arrays;

/** Medians, and ratios with their confidence. */
public final class Statistics {
    /** Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom. */
    private static final double[] STUDENT = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double NORMAL = 1.960;

    private Statistics() {}

    /**
     * A ratio and its 95 % confidence interval; the ends are NaN with fewer than two rounds.
     *
     * @param ratio geometric mean of the ratios of each round
     * @param low lower end
     * @param high upper end
     */
    public record Ratio(double ratio, double low, double high) {}

    /** The middle value; NaN of none. */
    static double median(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        var sorted = values.clone();
        Arrays.sort(sorted);
        var middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Sums up the ratios of the single rounds: their logarithms are taken as normally distributed. */
    static Ratio ratio(double... ratios) {
        var logs =
                Arrays.stream(ratios).filter(ratio -> ratio > 0).map(Math::log).toArray();
        var mean = Arrays.stream(logs).average().orElse(Double.NaN);
        if (logs.length < 2) {
            return new Ratio(Math.exp(mean), Double.NaN, Double.NaN);
        }
        var freedom = logs.length - 1;
        var variance =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum() / freedom;
        var quantile = freedom <= STUDENT.length ? STUDENT[freedom - 1] : NORMAL;
        var half = quantile * Math.sqrt(variance / logs.length);
        return new Ratio(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
    }
}
