package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.cli.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results for programs (JSON) and for terminals (a table for each load).
 *
 * @param settings that were run
 * @param machine facts about it
 * @param versions of this program and of what the servers told about themselves
 * @param results of the runs
 */
public record Report(
        BenchSettings settings, Map<String, Object> machine, Map<String, Object> versions, Results results) {

    /** A document with {@code runs}, {@code failures} and {@code medians}. */
    public String json() {
        var document = new LinkedHashMap<String, Object>(machine);
        document.put("versions", versions);
        document.put("settings", settingFields());
        document.put("runs", results.runFields());
        document.put("failures", results.failureFields());
        document.put("medians", results.medianFields());
        return JsonWriter.pretty(document);
    }

    private Map<String, Object> settingFields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("over", settings.over().toString());
        fields.put("reference", settings.reference());
        fields.put("rounds", settings.rounds());
        fields.put("duration_s", settings.duration().toMillis() / 1e3);
        fields.put("warmup_messages", settings.cold() ? 0L : settings.warmupMessages());
        fields.put("cold", settings.cold());
        fields.put("server_cpus", settings.serverCpus());
        fields.put("client_cpus", settings.clientCpus());
        if (settings.loops().arePinned()) {
            fields.put("loop_cpus", settings.loops().cpus().toString());
        }
        return fields;
    }

    /** A table for each load, and how to read it. */
    public String table() {
        var out = new StringBuilder();
        for (var cell : settings.cells()) {
            var rows = new ArrayList<List<String>>();
            for (var summary : results.summaries()) {
                if (summary.cell().equals(cell)) {
                    rows.add(row(summary));
                }
            }
            if (!rows.isEmpty()) {
                out.append(cell).append('\n');
                rows.addFirst(header(cell));
                appendAligned(out, rows);
                out.append('\n');
            }
        }
        for (var failure : results.failures()) {
            out.append("FAILED ")
                    .append(failure.server())
                    .append(" (")
                    .append(failure.cell())
                    .append(", round ");
            out.append(failure.round()).append("): ").append(failure.failure()).append('\n');
        }
        return out.append(legend()).toString();
    }

    /** How the figures came about, in a few sentences. */
    public String legend() {
        var text = String.format(
                Locale.ROOT,
                "Over %s. Medians of up to %d rounds of %s s, %s, server on CPU %s, client on CPU %s."
                        + " Ratios to %s: geometric mean of the rounds [95 %% confidence].",
                settings.over().label(),
                settings.rounds(),
                settings.duration().toMillis() / 1e3,
                settings.cold() ? "cold: start-up and JIT counted" : "after " + settings.warmupMessages() + " messages",
                settings.serverCpus().isEmpty() ? "any" : settings.serverCpus(),
                settings.clientCpus().isEmpty() ? "any" : settings.clientCpus(),
                settings.loops().arePinned() ? "the same server on unpinned loops" : settings.reference());
        return settings.loops().arePinned() ? text + " " + loopLegend() : text;
    }

    private String loopLegend() {
        var text = "Pinned loops have a CPU each, the first ones of "
                + settings.loops().cpus() + "."
                + " Migrations to another CPU, waits (voluntary context switches) and preemptions (involuntary ones) are"
                + " those of the loop threads together.";
        return settings.cells().stream().anyMatch(Cell::neighbour)
                ? text + " A noisy neighbour is a busy process on each of these CPUs, for unpinned loops too."
                : text;
    }

    private List<String> header(Cell cell) {
        var cells = new ArrayList<>(List.of("server"));
        for (var metric : columns(cell)) {
            cells.add(metric.label());
            if (hasRatio(metric, cell)) {
                cells.add("ratio");
            }
        }
        if (settings.cold()) {
            cells.add("first reply ms");
        }
        return cells;
    }

    private List<String> row(Summary summary) {
        var cells = new ArrayList<>(List.of(summary.server()));
        for (var metric : columns(summary.cell())) {
            cells.add(metric.format(summary.median(metric)));
            if (hasRatio(metric, summary.cell())) {
                cells.add(ratio(summary, metric));
            }
        }
        if (settings.cold()) {
            cells.add(String.format(Locale.ROOT, "%.0f", summary.firstReplyMillis()));
        }
        return cells;
    }

    private static List<Metric> columns(Cell cell) {
        return cell.metrics().stream()
                .filter(metric -> metric != Metric.P90_US && metric != Metric.MAX_US)
                .toList();
    }

    private static boolean hasRatio(Metric metric, Cell cell) {
        return switch (metric) {
            case MESSAGES_PER_SECOND, SERVER_CPU_US_PER_MESSAGE -> true;
            case P99_US, P999_US -> cell.tellsLoops();
            default -> false;
        };
    }

    static String ratio(Summary summary, Metric metric) {
        var ratio = summary.ratios().get(metric);
        if (ratio == null || Double.isNaN(ratio.ratio())) {
            return "-";
        }
        return Double.isNaN(ratio.low()) || ratio.low() == ratio.high()
                ? String.format(Locale.ROOT, "%.2f", ratio.ratio())
                : String.format(Locale.ROOT, "%.2f [%.2f-%.2f]", ratio.ratio(), ratio.low(), ratio.high());
    }

    private static void appendAligned(StringBuilder out, List<List<String>> rows) {
        for (var row : rows) {
            for (var column = 0; column < row.size(); column++) {
                var index = column;
                var width = rows.stream()
                        .mapToInt(other -> other.get(index).length())
                        .max()
                        .orElse(0);
                var padding = " ".repeat(width - row.get(column).length());
                out.append(column == 0 ? "  " : "   ");
                out.append(column == 0 ? row.get(column) + padding : padding + row.get(column));
            }
            out.append('\n');
        }
    }
}
