package io.github.uvloop4j.cli.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came out of a load.
 *
 * @param messages completed and verified while measuring
 * @param nanos that the measurement took
 * @param firstReplyEpochMicros wall-clock time of the first verified reply, in microseconds since the epoch
 * @param latencies of requests while measuring, in nanoseconds
 */
public record LoadResult(long messages, long nanos, long firstReplyEpochMicros, Histogram latencies) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Length of the measurement in seconds. */
    public double seconds() {
        return nanos / NANOS_PER_SECOND;
    }

    /** Completed messages a second. */
    public double messagesPerSecond() {
        return messages / seconds();
    }

    /** The percentiles in microseconds, under their JSON keys. */
    public static Map<String, Object> percentiles(Histogram latencies) {
        var values = new LinkedHashMap<String, Object>();
        values.put("p50_us", latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
        values.put("p90_us", latencies.getValueAtPercentile(90) / NANOS_PER_MICRO);
        values.put("p99_us", latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        values.put("p999_us", latencies.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
        values.put("max_us", latencies.getMaxValue() / NANOS_PER_MICRO);
        return values;
    }
}
