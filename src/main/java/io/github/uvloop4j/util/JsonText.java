package io.github.uvloop4j.util;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes JSON, one value after the other; commas come by themselves. One thread at a time. */
public final class JsonText {
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder text = new StringBuilder();
    private boolean comma;

    /** An empty text. */
    public JsonText() {}

    /** Begins an object or an array with its bracket. */
    public JsonText open(char bracket) {
        separate();
        text.append(bracket);
        comma = false;
        return this;
    }

    /** Ends an object or an array with its bracket. */
    public JsonText close(char bracket) {
        text.append(bracket);
        comma = true;
        return this;
    }

    /** The key of a member of an object; its value comes next. */
    public JsonText key(String key) {
        separate();
        quote(key);
        text.append(':');
        comma = false;
        return this;
    }

    /** A string, or null. */
    public JsonText value(@Nullable String value) {
        separate();
        if (value == null) {
            text.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** A number. */
    public JsonText value(long value) {
        separate();
        text.append(value);
        return this;
    }

    /** A truth value. */
    public JsonText value(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    private void separate() {
        if (comma) {
            text.append(',');
        }
        comma = true;
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    // A lone surrogate has no UTF-8, and a browser takes U+2028 for the end of a line.
                    if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029 || lone(value, i)) {
                        text.append("\\u").append(HEX.toHexDigits(c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean lone(String value, int index) {
        char c = value.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == value.length() || !Character.isLowSurrogate(value.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(value.charAt(index - 1)));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
