package io.github.uvloop4j.cli.json;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, iterables, strings, numbers, booleans and null as JSON. */
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder(256);
    private final boolean pretty;

    private JsonWriter(boolean pretty) {
        this.pretty = pretty;
    }

    /**
     * Returns the value on a single line.
     *
     * @throws IllegalArgumentException if the value holds something that JSON does not know
     */
    public static String line(@Nullable Object value) {
        return new JsonWriter(false).value(value, 0).out.toString();
    }

    /**
     * Returns the value with one entry per line; maps of plain values stay on one line.
     *
     * @throws IllegalArgumentException if the value holds something that JSON does not know
     */
    public static String pretty(@Nullable Object value) {
        return new JsonWriter(true).value(value, 0).out.toString();
    }

    private JsonWriter value(@Nullable Object value, int depth) {
        switch (value) {
            case null -> out.append("null");
            case String text -> string(text);
            case Boolean flag -> out.append(flag.booleanValue());
            case Double number -> number(number);
            case Integer number -> out.append(number.intValue());
            case Long number -> out.append(number.longValue());
            case Map<?, ?> map -> map(map, depth);
            case Iterable<?> values -> list(values, depth);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
        return this;
    }

    private void number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            out.append("null");
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            out.append((long) number);
        } else if (Math.abs(number) < 1e-3 || Math.abs(number) >= 1e9) {
            out.append(number);
        } else {
            out.append(String.format(Locale.ROOT, "%.4f", number));
        }
    }

    private void map(Map<?, ?> map, int depth) {
        var nested = pretty && (depth == 0 || map.values().stream().anyMatch(JsonWriter::isContainer));
        out.append('{');
        var first = true;
        for (var entry : map.entrySet()) {
            separate(first, nested, depth);
            first = false;
            string(String.valueOf(entry.getKey()));
            out.append(pretty ? ": " : ":");
            value(entry.getValue(), depth + 1);
        }
        end(nested && !first, depth);
        out.append('}');
    }

    private void list(Iterable<?> values, int depth) {
        var nested = false;
        for (var value : values) {
            nested |= pretty && isContainer(value);
        }
        out.append('[');
        var first = true;
        for (var value : values) {
            separate(first, nested, depth);
            first = false;
            value(value, depth + 1);
        }
        end(nested, depth);
        out.append(']');
    }

    private void separate(boolean first, boolean nested, int depth) {
        if (!first) {
            out.append(pretty && !nested ? ", " : ",");
        }
        if (nested) {
            out.append('\n').append("  ".repeat(depth + 1));
        }
    }

    private void end(boolean nested, int depth) {
        if (nested) {
            out.append('\n').append("  ".repeat(depth));
        }
    }

    private static boolean isContainer(@Nullable Object value) {
        return value instanceof Map || value instanceof Iterable;
    }

    private void string(String text) {
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
