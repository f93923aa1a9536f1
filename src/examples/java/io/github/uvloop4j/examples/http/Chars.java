package io.github.uvloop4j.examples.http;

/** Which bytes may stand where in a message (RFC 9110, 5.5 and 5.6.2), and how ASCII is compared. */
final class Chars {
    private static final int TOKEN = 1;
    private static final int TEXT = 2;
    private static final int VISIBLE = 4;
    private static final byte[] KINDS = new byte[256];

    static {
        for (int c = 0x21; c < 0x7f; c++) {
            boolean separator = "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0;
            KINDS[c] = (byte) (TEXT | VISIBLE | (separator ? 0 : TOKEN));
        }
        KINDS[' '] = TEXT;
        KINDS['\t'] = TEXT;
        for (int c = 0x80; c <= 0xff; c++) {
            KINDS[c] = TEXT;
        }
    }

    private Chars() {}

    static boolean isToken(byte[] bytes, int from, int to) {
        return from < to && all(TOKEN, bytes, from, to);
    }

    /** Text of a field, without control characters: a bare CR is none. */
    static boolean isText(byte[] bytes, int from, int to) {
        return all(TEXT, bytes, from, to);
    }

    /** Visible ASCII. */
    static boolean isVisible(byte[] bytes, int from, int to) {
        return all(VISIBLE, bytes, from, to);
    }

    private static boolean all(int kind, byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if ((KINDS[bytes[i] & 0xff] & kind) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Where a byte stands, or -1. */
    static int indexOf(byte[] bytes, int from, int to, char wanted) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Whether bytes are a word in lower case, whatever their own case. */
    static boolean equalsIgnoreCase(byte[] bytes, int from, int to, String lower) {
        if (to - from != lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            int c = bytes[from + i];
            if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }
}
