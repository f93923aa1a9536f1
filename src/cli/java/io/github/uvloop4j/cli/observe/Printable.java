package io.github.uvloop4j.cli.observe;

/** Text of others on a terminal: no character of it may command the terminal. */
public final class Printable {
    private static final int LONGEST = 4000;

    private Printable() {}

    /** The text on one line, without control characters, and not endless. */
    public static String of(String text) {
        var out = new StringBuilder(Math.min(text.length(), LONGEST));
        text.codePoints().limit(LONGEST).forEach(c -> out.appendCodePoint(isPlain(c) ? c : '?'));
        return out.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
