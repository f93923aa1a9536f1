package io.github.uvloop4j.examples.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds replies in a stream of bytes: bytes in, replies out, no I/O. Lists that are not complete are kept on a stack, so
 * that no byte is looked at twice however they arrive. After an exception it has lost its place.
 */
public final class RespParser {
    private static final int LONGEST_LINE = 64 * 1024;
    private static final int LONGEST_BLOB = 512 * 1024 * 1024;
    private static final int LONGEST_LIST = 16 * 1024 * 1024;
    private static final int DEEPEST = 64;
    private static final int SMALL = 4 * 1024;

    /** A list of which some items are missing. */
    private record Open(char kind, int size, List<Reply> items, int depth, Open outer) {
        Reply close() {
            return kind == '>' ? new Reply.Push(items) : new Reply.Items(items);
        }
    }

    private byte[] bytes = new byte[SMALL];
    private int start;
    private int end;
    private int searched;
    private Open open;

    /** The length of a blob whose bytes have not all arrived; -1 for none. */
    private int blobLength = -1;

    private char blobKind;

    /** Takes bytes in. */
    public void feed(ByteBuffer data) {
        int count = data.remaining();
        if (bytes.length - end < count) {
            int size = end - start;
            var target = size + count <= bytes.length ? bytes : new byte[Math.max(size + count, 2 * bytes.length)];
            System.arraycopy(bytes, start, target, 0, size);
            bytes = target;
            searched -= start;
            start = 0;
            end = size;
        }
        data.get(bytes, end, count);
        end += count;
    }

    /** The next reply that has arrived in full; null when bytes are missing. */
    public Reply next() throws RedisException {
        while (true) {
            boolean isThere = blobLength < 0 ? nextLine() : end - start >= blobLength + 2;
            if (!isThere) {
                return null;
            }
            var value = blobLength < 0 ? line() : blob();
            var complete = value == null ? null : place(value);
            if (complete != null) {
                return complete;
            }
        }
    }

    /** Where the next line ends is then in {@code searched}. */
    private boolean nextLine() throws RedisException {
        searched = Math.max(searched, start);
        while (searched < end && bytes[searched] != '\n') {
            searched++;
        }
        if (searched - start > LONGEST_LINE) {
            throw new RedisException("a line of more than " + LONGEST_LINE + " bytes");
        }
        if (searched == end) {
            return false;
        }
        if (searched - start < 2 || bytes[searched - 1] != '\r') {
            throw new RedisException("a line without its end");
        }
        return true;
    }

    /** What a line says; null when it only begins something. */
    private Reply line() throws RedisException {
        char kind = (char) bytes[start];
        var text = new String(bytes, start + 1, searched - start - 2, StandardCharsets.UTF_8);
        skip(searched + 1);
        return switch (kind) {
            case '+', '(' -> new Reply.Text(text);
            case '-' -> new Reply.Failure(text);
            case ':' -> new Reply.Whole(whole(text));
            case ',' -> new Reply.Real(real(text));
            case '#' -> new Reply.Flag(flag(text));
            case '_' -> Reply.NIL;
            case '$', '!', '=' -> openBlob(kind, text);
            case '*', '~', '%', '>' -> openList(kind, text);
            default -> throw new RedisException("a reply of unknown kind " + (int) kind);
        };
    }

    private void skip(int position) {
        start = position;
        if (start == end) {
            start = 0;
            end = 0;
            searched = 0;
            if (bytes.length > 64 * SMALL) {
                bytes = new byte[SMALL];
            }
        }
    }

    private static long whole(String text) throws RedisException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException bad) {
            throw new RedisException("no number: " + text);
        }
    }

    private static double real(String text) throws RedisException {
        try {
            return switch (text) {
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                case "nan" -> Double.NaN;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException bad) {
            throw new RedisException("no number: " + text);
        }
    }

    private static boolean flag(String text) throws RedisException {
        if (!text.equals("t") && !text.equals("f")) {
            throw new RedisException("neither true nor false: " + text);
        }
        return text.equals("t");
    }

    /** A size; -1 where the older version says so that nothing is there. */
    private static int size(String text, int most) throws RedisException {
        long size = whole(text);
        if (size < -1 || size > most) {
            throw new RedisException("a size that cannot be: " + text);
        }
        return (int) size;
    }

    private Reply openBlob(char kind, String text) throws RedisException {
        blobLength = size(text, LONGEST_BLOB);
        blobKind = kind;
        return blobLength < 0 ? Reply.NIL : null;
    }

    private Reply blob() throws RedisException {
        int to = start + blobLength;
        if (bytes[to] != '\r' || bytes[to + 1] != '\n') {
            throw new RedisException("a blob is longer than its size");
        }
        var blob = Arrays.copyOfRange(bytes, start, to);
        skip(to + 2);
        blobLength = -1;
        return switch (blobKind) {
            case '!' -> new Reply.Failure(new String(blob, StandardCharsets.UTF_8));
            case '=' ->
                new Reply.Text(new String(
                        blob, Math.min(4, blob.length), Math.max(0, blob.length - 4), StandardCharsets.UTF_8));
            default -> new Reply.Blob(blob);
        };
    }

    private Reply openList(char kind, String text) throws RedisException {
        int size = size(text, LONGEST_LIST);
        int depth = open == null ? 1 : open.depth + 1;
        if (depth > DEEPEST) {
            throw new RedisException("lists in more than " + DEEPEST + " lists");
        }
        if (size < 0) {
            return Reply.NIL;
        }
        var list = new Open(kind, kind == '%' ? 2 * size : size, new ArrayList<>(Math.min(size, 16)), depth, open);
        if (size == 0) {
            return list.close();
        }
        open = list;
        return null;
    }

    /** Puts a value where it belongs; returns what is complete with it. */
    private Reply place(Reply value) {
        var complete = value;
        while (open != null) {
            open.items.add(complete);
            if (open.items.size() < open.size) {
                return null;
            }
            complete = open.close();
            open = open.outer;
        }
        return complete;
    }
}
