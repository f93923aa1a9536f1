package io.github.uvloop4j.cli.bench;

import java.util.List;
import java.util.Locale;

/** The results as one HTML page that needs nothing else: bars as inline SVG, colours for light and dark. */
public final class HtmlReport {
    private static final List<Metric> CHARTS =
            List.of(Metric.MESSAGES_PER_SECOND, Metric.SERVER_CPU_US_PER_MESSAGE, Metric.P99_US);
    private static final List<Metric> LOOP_CHARTS =
            List.of(Metric.P999_US, Metric.LOOP_MIGRATIONS_PER_SECOND, Metric.LOOP_INVOLUNTARY_SWITCHES_PER_SECOND);
    private static final int LABEL_WIDTH = 150;
    private static final int BAR_WIDTH = 380;
    private static final int VALUE_WIDTH = 200;
    private static final int ROW_HEIGHT = 26;

    private final Report report;
    private final StringBuilder out = new StringBuilder(8192);

    private HtmlReport(Report report) {
        this.report = report;
    }

    /** The page. */
    public static String of(Report report) {
        return new HtmlReport(report).page();
    }

    private String page() {
        out.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Echo servers compared</title>
                <style>
                :root { color-scheme: light dark; --text: #1b1f24; --soft: #5b6570; --page: #ffffff; --line: #d7dce1;
                  --bar: #9db4cc; --own: #2f6fb5; --error: #b3261e; }
                @media (prefers-color-scheme: dark) {
                  :root { --text: #e4e8ec; --soft: #9aa5b1; --page: #15181c; --line: #343b43; --bar: #4a5f76;
                    --own: #6fa8e8; --error: #ff8a80; }
                }
                body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--page);
                  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
                h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
                h3 { font-size: .95rem; margin: 1.2rem 0 .2rem; font-weight: 600; }
                p, dt { color: var(--soft); } dd { margin: 0; }
                dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
                svg { width: 100%; max-width: 46rem; height: auto; }
                svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
                svg .note { fill: var(--soft); } svg rect { fill: var(--bar); } svg rect.best { fill: var(--own); }
                .scroll { overflow-x: auto; }
                table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
                th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
                  white-space: nowrap; }
                th:first-child, td:first-child { text-align: left; }
                .error { color: var(--error); }
                </style>
                </head>
                <body>
                <h1>Echo servers compared</h1>
                """);
        out.append("<p>").append(escape(report.legend())).append("</p>\n");
        facts();
        for (var cell : report.settings().cells()) {
            var summaries = report.results().summaries().stream()
                    .filter(summary -> summary.cell().equals(cell))
                    .toList();
            if (!summaries.isEmpty()) {
                out.append("<h2>").append(escape(cell.toString())).append("</h2>\n");
                CHARTS.forEach(metric -> chart(metric, summaries));
                if (cell.tellsLoops()) {
                    LOOP_CHARTS.forEach(metric -> chart(metric, summaries));
                }
                table(summaries);
            }
        }
        failures();
        return out.append("</body>\n</html>\n").toString();
    }

    private void facts() {
        out.append("<dl>\n");
        report.machine().forEach(this::fact);
        report.versions().forEach(this::fact);
        out.append("</dl>\n");
    }

    private void fact(String name, Object value) {
        out.append("<dt>").append(escape(name.replace('_', ' '))).append("</dt><dd>");
        out.append(escape(String.valueOf(value))).append("</dd>\n");
    }

    private void chart(Metric metric, List<Summary> summaries) {
        var most = summaries.stream()
                .mapToDouble(summary -> summary.median(metric))
                .max()
                .orElse(1);
        var more = metric == Metric.MESSAGES_PER_SECOND;
        var values = summaries.stream().mapToDouble(summary -> summary.median(metric));
        var best = more ? most : values.min().orElse(0);
        var width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;
        out.append("<h3>").append(escape(metric.label())).append(more ? ", more is better" : ", less is better");
        out.append("</h3>\n");
        out.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s by server\">%n",
                width,
                summaries.size() * ROW_HEIGHT,
                escape(metric.label())));
        var y = 0;
        for (var summary : summaries) {
            bar(metric, summary, y, most, best);
            y += ROW_HEIGHT;
        }
        out.append("</svg>\n");
    }

    private void bar(Metric metric, Summary summary, int y, double most, double best) {
        var value = summary.median(metric);
        var length = most > 0 && !Double.isNaN(value) ? BAR_WIDTH * value / most : 0;
        var baseline = y + ROW_HEIGHT - 8;
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                        + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"%s/>"
                        + "<text x=\"%.1f\" y=\"%d\">%s <tspan class=\"note\">%s</tspan></text>%n",
                LABEL_WIDTH - 8,
                baseline,
                escape(summary.server()),
                LABEL_WIDTH,
                y + 3,
                length,
                ROW_HEIGHT - 7,
                value == best ? " class=\"best\"" : "",
                LABEL_WIDTH + length + 6,
                baseline,
                metric.format(value),
                escape(Report.ratio(summary, metric))));
    }

    private void table(List<Summary> summaries) {
        out.append("<div class=\"scroll\"><table>\n<tr><th>server</th><th>rounds</th>");
        var metrics = summaries.getFirst().cell().metrics();
        for (var metric : metrics) {
            out.append("<th>").append(escape(metric.label())).append("</th>");
        }
        out.append("</tr>\n");
        for (var summary : summaries) {
            out.append("<tr><td>").append(escape(summary.server())).append("</td><td>");
            out.append(summary.rounds()).append("</td>");
            for (var metric : metrics) {
                out.append("<td>").append(metric.format(summary.median(metric))).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</table></div>\n");
    }

    private void failures() {
        if (report.results().failures().isEmpty()) {
            return;
        }
        out.append("<h2 class=\"error\">Failed runs, which count nowhere</h2>\n<ul>\n");
        for (var run : report.results().failures()) {
            out.append("<li>").append(escape(run.server() + ", " + run.cell() + ", round " + run.round() + ": "));
            out.append(escape(String.valueOf(run.failure()))).append("</li>\n");
        }
        out.append("</ul>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
