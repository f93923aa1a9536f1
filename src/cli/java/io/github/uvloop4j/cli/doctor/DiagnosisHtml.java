package io.github.uvloop4j.cli.doctor;

import static io.github.uvloop4j.cli.doctor.Svg.escape;

import io.github.uvloop4j.cli.observe.Activity;
import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.Distribution;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.LoopSnapshot;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Share;
import io.github.uvloop4j.cli.observe.Sizes;
import io.github.uvloop4j.cli.observe.Span;
import io.github.uvloop4j.cli.observe.Words;
import io.github.uvloop4j.cli.observe.WorkTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A diagnosis as one HTML page that needs nothing else and runs nothing: charts as SVG, colours for light and dark. */
public final class DiagnosisHtml {
    private static final int FRAMES = 15;

    private final Diagnosis diagnosis;
    private final Observation seen;
    private final StringBuilder out = new StringBuilder(16_384);

    private DiagnosisHtml(Diagnosis diagnosis) {
        this.diagnosis = diagnosis;
        this.seen = diagnosis.seen();
    }

    /** The page. */
    public static String of(Diagnosis diagnosis) {
        return new DiagnosisHtml(diagnosis).page();
    }

    private String page() {
        out.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Doctor's report</title>
                <style>
                :root { color-scheme: light dark; --text: #1b1f24; --soft: #5b6570; --page: #ffffff; --line: #d7dce1;
                  --bar: #2f6fb5; --plot: #f3f5f7; --bad: #b3261e; --warn: #9a6700; --gc: #7d5bbe; }
                @media (prefers-color-scheme: dark) {
                  :root { --text: #e4e8ec; --soft: #9aa5b1; --page: #15181c; --line: #343b43; --bar: #6fa8e8;
                    --plot: #1d2228; --bad: #ff8a80; --warn: #e3b341; --gc: #b79cf0; }
                }
                body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--page);
                  color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
                h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
                h3 { font-size: .95rem; margin: 1.2rem 0 .2rem; font-weight: 600; }
                .soft { color: var(--soft); } ol.findings > li { margin: .9rem 0; }
                .grade { font-weight: 600; } .serious { color: var(--bad); } .notable { color: var(--warn); }
                .advice { border-left: 3px solid var(--line); padding-left: .7rem; }
                ul { margin: .2rem 0; padding-left: 1.2rem; color: var(--soft); }
                svg { width: 100%; max-width: 46rem; height: auto; } svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
                svg .note { fill: var(--soft); } svg rect { fill: var(--bar); } svg .plot { fill: var(--plot); }
                svg .grid { stroke: var(--line); } svg .stall { fill: var(--bad); fill-opacity: .75; }
                svg .pause { fill: var(--gc); fill-opacity: .6; }
                .scroll { overflow-x: auto; }
                table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
                th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
                th:first-child, td:first-child { text-align: left; }
                </style>
                </head>
                <body>
                <h1>Doctor's report</h1>
                """);
        paragraph("soft", DiagnosisText.headline(diagnosis) + ", from " + seen.begin() + " on");
        seen.notes().forEach(note -> paragraph("notable", "Note: " + note));
        heading("Findings");
        paragraph("", DiagnosisText.verdict(diagnosis));
        if (!diagnosis.findings().isEmpty()) {
            out.append("<ol class=\"findings\">\n");
            diagnosis.findings().forEach(this::finding);
            out.append("</ol>\n");
        }
        heading("Loops");
        table();
        seen.loops().forEach(this::loop);
        if (seen.unassigned().samples() > 0) {
            heading("Tasks of loops that have the same name");
            activity(seen.unassigned());
        }
        return out.append("</body>\n</html>\n").toString();
    }

    private void paragraph(String style, String text) {
        out.append(style.isEmpty() ? "<p>" : "<p class=\"" + style + "\">")
                .append(escape(text))
                .append("</p>\n");
    }

    private void heading(String text) {
        out.append("<h2>").append(escape(text)).append("</h2>\n");
    }

    private void finding(Finding finding) {
        out.append("<li><span class=\"grade ")
                .append(finding.grade())
                .append("\">")
                .append(finding.grade());
        out.append("</span> ").append(escape(finding.title())).append("\n<ul>\n");
        finding.evidence()
                .forEach(sentence -> out.append("<li>").append(escape(sentence)).append("</li>\n"));
        out.append("</ul>\n<div class=\"advice\">")
                .append(escape(finding.advice()))
                .append("</div></li>\n");
    }

    private void table() {
        out.append("<div class=\"scroll\"><table>\n<tr>");
        List.of(
                        "loop",
                        "CPUs",
                        "busy",
                        "turns/s",
                        "turn p50",
                        "p99",
                        "longest",
                        "tasks",
                        "connections",
                        "in/s",
                        "out/s",
                        "posts/s",
                        "stalls")
                .forEach(head -> out.append("<th>").append(head).append("</th>"));
        out.append("</tr>\n");
        seen.loops().forEach(this::row);
        out.append("</table></div>\n");
    }

    private void row(LoopReport loop) {
        var cells = new ArrayList<String>();
        cells.add(loop.label());
        cells.add(loop.identity().cpus());
        var span = loop.whole().orElse(null);
        if (span == null) {
            cells.addAll(List.of("-", "-", "-", "-", "-"));
        } else {
            var turns = span.histogram(Distribution.TURNS);
            cells.addAll(List.of(
                    Words.percent(span.busyShare()),
                    Words.count(span.perSecond(Counter.TURNS)),
                    Words.time(turns.percentile(50)),
                    Words.time(turns.percentile(99)),
                    Words.time(span.max(Distribution.TURNS))));
        }
        cells.add(Words.count(loop.last().map(LoopSnapshot::tasks).orElse(0)));
        cells.add(Words.count(loop.last().map(LoopSnapshot::connections).orElse(0)));
        cells.add(span == null ? "-" : Words.bytes(span.perSecond(Counter.BYTES_RECEIVED)));
        cells.add(span == null ? "-" : Words.bytes(span.perSecond(Counter.BYTES_SENT)));
        cells.add(span == null ? "-" : Words.count(span.perSecond(Counter.POSTS)));
        cells.add(Words.count(loop.stalls().size()));
        out.append("<tr>");
        cells.forEach(cell -> out.append("<td>").append(escape(cell)).append("</td>"));
        out.append("</tr>\n");
    }

    private void loop(LoopReport loop) {
        heading(loop.label());
        if (!loop.snapshots().isEmpty() || !loop.stalls().isEmpty()) {
            title("Busy share over time; red: stalls, violet: pauses of the garbage collector");
            out.append(Timeline.of(seen, loop));
        }
        loop.whole().ifPresent(span -> {
            histogram("Turns: how long they kept the thread busy", span, Distribution.TURNS);
            histogram("Polls: how long they were blocked", span, Distribution.POLLS);
            kinds(span);
        });
        activity(loop.activity());
    }

    private void title(String text) {
        out.append("<h3>").append(escape(text)).append("</h3>\n");
    }

    private void histogram(String title, Span span, Distribution distribution) {
        var histogram = span.histogram(distribution);
        if (histogram.count() == 0) {
            return;
        }
        var counts = Sizes.counts(histogram);
        var totals = Sizes.totals(histogram);
        var all = Math.max(1, Arrays.stream(totals).sum());
        var bars = new ArrayList<Svg.Bar>();
        for (var i = 0; i < counts.length; i++) {
            bars.add(new Svg.Bar(
                    Sizes.LABELS.get(i),
                    (double) counts[i],
                    Words.count(counts[i])
                            + (counts[i] > 0 ? ", " + Words.percent(totals[i] / (double) all) + " of the time" : "")));
        }
        title(title);
        out.append(Svg.bars(title, bars));
    }

    private void kinds(Span span) {
        var busy = span.count(Counter.BUSY);
        if (busy == 0) {
            return;
        }
        var bars = Arrays.stream(WorkTime.values())
                .map(kind -> new Svg.Bar(
                        kind.label(),
                        (double) span.count(kind.counter()),
                        Words.percent(span.count(kind.counter()) / (double) busy)))
                .filter(bar -> bar.value() > 0)
                .toList();
        title("Where the busy time goes, by kind of work");
        out.append(Svg.bars("by kind of work", bars));
    }

    private void activity(Activity activity) {
        if (activity.samples() == 0) {
            return;
        }
        title("Where Java code runs, of " + Words.many(activity.samples(), "sample") + ": by code of the program");
        shares(activity.frames());
        title("The same by the innermost frame");
        shares(activity.innermost());
    }

    private void shares(List<Share> shares) {
        out.append("<div class=\"scroll\"><table>\n");
        for (var share : shares.stream().limit(FRAMES).toList()) {
            out.append("<tr><td>").append(escape(share.name())).append("</td><td>");
            out.append(escape(Words.percent(share.share()))).append("</td></tr>\n");
        }
        out.append("</table></div>\n");
    }
}
