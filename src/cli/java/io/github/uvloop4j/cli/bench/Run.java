package io.github.uvloop4j.cli.bench;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one server did under one load in one round.
 *
 * @param server its name
 * @param cell the load
 * @param round from 1 on
 * @param values what was measured; empty when it failed
 * @param messages measured
 * @param firstReplyMillis from the start of the server's process to the first reply; only in cold runs
 * @param failure why it does not count, or null
 */
public record Run(
        String server,
        Cell cell,
        int round,
        Map<Metric, Double> values,
        long messages,
        double firstReplyMillis,
        @Nullable String failure) {

    static Run of(String server, Cell cell, int round, Map<String, ?> report, double firstReplyMillis) {
        var values = new EnumMap<Metric, Double>(Metric.class);
        for (var metric : cell.metrics()) {
            values.put(metric, number(report, metric.key()));
        }
        return new Run(server, cell, round, values, (long) number(report, "messages"), firstReplyMillis, null);
    }

    static Run failed(String server, Cell cell, int round, String failure) {
        return new Run(server, cell, round, Map.of(), 0, Double.NaN, failure);
    }

    static double number(Map<String, ?> report, String key) {
        return report.get(key) instanceof Double number ? number : Double.NaN;
    }

    Run rejected(String why) {
        return failed(server, cell, round, why);
    }

    boolean isGood() {
        return failure == null;
    }

    double value(Metric metric) {
        return values.getOrDefault(metric, Double.NaN);
    }

    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("server", server);
        fields.putAll(cell.fields());
        fields.put("round", round);
        if (failure != null) {
            fields.put("failure", failure);
            return fields;
        }
        fields.put("messages", messages);
        values.forEach((metric, value) -> fields.put(metric.key(), value));
        if (!Double.isNaN(firstReplyMillis)) {
            fields.put("first_reply_ms", firstReplyMillis);
        }
        return fields;
    }
}
