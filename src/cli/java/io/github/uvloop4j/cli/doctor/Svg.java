package io.github.uvloop4j.cli.doctor;

import java.util.List;
import java.util.Locale;

/** Charts as inline SVG. What comes from elsewhere is escaped here. */
final class Svg {
    private static final int LABEL = 190;
    private static final int BAR = 300;
    private static final int VALUE = 230;
    private static final int ROW = 24;
    private static final int WIDTH = LABEL + BAR + VALUE;

    private Svg() {}

    /** Text that stands for itself in HTML. */
    static String escape(String text) {
        var out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    var control = c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c >= 0xfffe;
                    out.appendCodePoint(control ? '\ufffd' : c);
                }
            }
        });
        return out.toString();
    }

    /**
     * A bar.
     *
     * @param label what it is
     * @param value how long it is
     * @param text its value in words
     */
    record Bar(String label, double value, String text) {}

    /** Bars below each other, the longest as long as there is room. */
    static String bars(String title, List<Bar> bars) {
        var most = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        var out = begin(title, bars.size() * ROW);
        var y = 0;
        for (var bar : bars) {
            var length = most > 0 ? BAR * bar.value() / most : 0;
            out.append(format(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>"
                            + "<text class=\"note\" x=\"%.1f\" y=\"%d\">%s</text>%n",
                    LABEL - 8,
                    y + ROW - 8,
                    escape(bar.label()),
                    LABEL,
                    y + 3,
                    length,
                    ROW - 7,
                    LABEL + length + 6,
                    y + ROW - 8,
                    escape(bar.text())));
            y += ROW;
        }
        return out.append("</svg>\n").toString();
    }

    /**
     * Something that happened.
     *
     * @param at when it began, 0 to 1 of the time
     * @param length how long it was, 0 to 1
     * @param style the class of its mark
     * @param text what it is
     */
    record Mark(double at, double length, String style, String text) {}

    /**
     * A point of a line.
     *
     * @param from where it begins, 0 to 1 of the time
     * @param to where it ends
     * @param value how high it is, 0 to 1
     */
    record Step(double from, double to, double value) {}

    /** Shares over time as steps, with what happened meanwhile. */
    static String timeline(String title, List<Step> steps, List<Mark> marks, String begin, String end) {
        var height = 96;
        var out = begin(title, height + 22);
        out.append(format(
                "<rect class=\"plot\" x=\"0\" y=\"0\" width=\"%d\" height=\"%d\"/>"
                        + "<line class=\"grid\" x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>%n",
                WIDTH, height, WIDTH, height / 2, height / 2));
        for (var step : steps) {
            out.append(format(
                    "<rect class=\"busy\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>%n",
                    WIDTH * step.from(),
                    height * (1 - step.value()),
                    Math.max(0.3, WIDTH * (step.to() - step.from())),
                    height * step.value()));
        }
        for (var mark : marks) {
            out.append(format(
                    "<rect class=\"%s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\"><title>%s</title></rect>%n",
                    mark.style(),
                    WIDTH * mark.at(),
                    Math.max(1.5, WIDTH * mark.length()),
                    height,
                    escape(mark.text())));
        }
        return out.append(format(
                        "<text class=\"note\" x=\"0\" y=\"%d\">%s</text>"
                                + "<text class=\"note\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text></svg>%n",
                        height + 16, escape(begin), WIDTH, height + 16, escape(end)))
                .toString();
    }

    private static StringBuilder begin(String title, int height) {
        return new StringBuilder(
                format("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n", WIDTH, height, escape(title)));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
