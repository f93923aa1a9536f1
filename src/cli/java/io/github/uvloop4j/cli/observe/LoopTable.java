package io.github.uvloop4j.cli.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The numbers of loops as lines of text, a loop in each. */
public final class LoopTable {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String DIGITS = "12345678";
    private static final int NAME = 20;

    private final String bars;

    /** A table that may use block characters, or has to do with digits. */
    public LoopTable(boolean blocks) {
        bars = blocks ? BARS : DIGITS;
    }

    /** What stands above. */
    public String head() {
        return line(
                "loop",
                "busy",
                "turns/s",
                "turn p50",
                "p99",
                "longest",
                "polls",
                "tasks",
                "conns",
                "in/s",
                "out/s",
                "posts/s",
                "stalls");
    }

    /** What the columns of the little chart are. */
    public String legend() {
        return "polls: how many took under 10 us, 100 us, 1 ms, 10 ms, 100 ms, 1 s, and longer";
    }

    /** A loop. */
    public String row(LoopReport loop, @Nullable Span span) {
        var last = loop.last();
        var tasks = Words.count(last.map(LoopSnapshot::tasks).orElse(0));
        var connections = Words.count(last.map(LoopSnapshot::connections).orElse(0));
        var stalls = Words.count(loop.stalls().size());
        var name = loop.runs() ? loop.label() : loop.label() + (loop.closed() ? " (closed)" : " (stopped)");
        if (span == null) {
            return line(name, "-", "-", "-", "-", "-", "", tasks, connections, "-", "-", "-", stalls);
        }
        var turns = span.histogram(Distribution.TURNS);
        return line(
                name,
                Words.percent(span.busyShare()).replace("under 1 %", "<1 %"),
                Words.count(span.perSecond(Counter.TURNS)),
                Words.time(turns.percentile(50)),
                Words.time(turns.percentile(99)),
                Words.time(span.max(Distribution.TURNS)),
                chart(Sizes.counts(span.histogram(Distribution.POLLS))),
                tasks,
                connections,
                Words.bytes(span.perSecond(Counter.BYTES_RECEIVED)),
                Words.bytes(span.perSecond(Counter.BYTES_SENT)),
                Words.count(span.perSecond(Counter.POSTS)),
                stalls);
    }

    /** One character for each number, as high as its share of the greatest; a dot for none. */
    String chart(long[] counts) {
        var most = 1L;
        for (var count : counts) {
            most = Math.max(most, count);
        }
        var chart = new StringBuilder(counts.length);
        for (var count : counts) {
            var height = (int) Math.ceil((double) count / most * bars.length());
            chart.append(height == 0 ? '.' : bars.charAt(height - 1));
        }
        return chart.toString();
    }

    private static String line(Object... cells) {
        cells[0] = shortened((String) cells[0]);
        return String.format(Locale.ROOT, "%-20s %5s %9s %8s %8s %8s  %-7s %7s %6s %9s %9s %8s %6s", cells)
                .stripTrailing();
    }

    /** The end of a name tells more than its beginning. */
    private static String shortened(String name) {
        return name.length() <= NAME ? name : "~" + name.substring(name.length() - NAME + 1);
    }

    /** All loops, with the span that is asked for. */
    public List<String> lines(List<LoopReport> loops, java.util.function.Function<LoopReport, @Nullable Span> span) {
        var lines = new ArrayList<String>();
        lines.add(head());
        loops.forEach(loop -> lines.add(row(loop, span.apply(loop))));
        return lines;
    }
}
