package io.github.uvloop4j.cli.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into maps, lists, strings, doubles, booleans and null. */
public final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException if the text is not exactly one JSON object
     */
    public static Map<String, @Nullable Object> object(String text) {
        var reader = new JsonReader(text);
        reader.skipSpace();
        if (reader.peek() != '{') {
            throw reader.broken("an object");
        }
        var map = reader.map();
        reader.skipSpace();
        if (reader.at != text.length()) {
            throw reader.broken("the end");
        }
        return map;
    }

    private @Nullable Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> map() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        expect('{');
        skipSpace();
        if (peek() == '}') {
            at++;
            return map;
        }
        do {
            skipSpace();
            var key = string();
            skipSpace();
            expect(':');
            if (map.containsKey(key)) {
                throw broken("a key other than " + key);
            }
            map.put(key, value());
            skipSpace();
        } while (next(',', '}'));
        return map;
    }

    private List<@Nullable Object> list() {
        var list = new ArrayList<@Nullable Object>();
        expect('[');
        skipSpace();
        if (peek() == ']') {
            at++;
            return list;
        }
        do {
            list.add(value());
            skipSpace();
        } while (next(',', ']'));
        return list;
    }

    private boolean next(char separator, char end) {
        var c = peek();
        if (c != separator && c != end) {
            throw broken("'" + separator + "' or '" + end + "'");
        }
        at++;
        return c == separator;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw broken(word);
        }
        at += word.length();
        return value;
    }

    private Double number() {
        var start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.valueOf(text.substring(start, at));
        } catch (NumberFormatException _) {
            throw broken("a value");
        }
    }

    private String string() {
        expect('"');
        var out = new StringBuilder();
        while (true) {
            var c = take();
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        var c = take();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw broken("four hexadecimal digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw broken("an escape");
        };
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw broken("more");
        }
        return text.charAt(at);
    }

    private char take() {
        var c = peek();
        at++;
        return c;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw broken("'" + c + "'");
        }
        at++;
    }

    private IllegalArgumentException broken(String expected) {
        return new IllegalArgumentException("JSON broken at " + at + ": expected " + expected);
    }
}
