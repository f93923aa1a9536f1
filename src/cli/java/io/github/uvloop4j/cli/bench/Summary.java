package io.github.uvloop4j.cli.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One server under one load over all rounds.
 *
 * @param server its name
 * @param cell the load
 * @param rounds that count
 * @param medians of each metric
 * @param ratios to the reference server, of the metrics that have one
 * @param firstReplyMillis median; NaN unless cold
 */
public record Summary(
        String server,
        Cell cell,
        int rounds,
        Map<Metric, Double> medians,
        Map<Metric, Statistics.Ratio> ratios,
        double firstReplyMillis) {

    double median(Metric metric) {
        return medians.getOrDefault(metric, Double.NaN);
    }

    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("server", server);
        fields.putAll(cell.fields());
        fields.put("rounds", rounds);
        medians.forEach((metric, value) -> fields.put(metric.key(), value));
        if (!Double.isNaN(firstReplyMillis)) {
            fields.put("first_reply_ms", firstReplyMillis);
        }
        ratios.forEach((metric, ratio) -> {
            fields.put(metric.key() + "_ratio", ratio.ratio());
            fields.put(metric.key() + "_ratio_low", ratio.low());
            fields.put(metric.key() + "_ratio_high", ratio.high());
        });
        return fields;
    }
}
