package io.github.uvloop4j.examples.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A request that has arrived in full. It is a view of its connection's memory and serves again for the next request:
 * valid until it is answered.
 */
public final class Request {
    private static final byte[] EMPTY = {};
    private static final int SMALL_BODY = 64 * 1024;

    private final Inbox inbox;
    private String method = "";
    private String target = "";
    private boolean http10;

    /** Four for each field: where name and value begin and end in the head. */
    private int[] fields = new int[4 * 16];

    private int count;
    private byte[] body = EMPTY;
    private int bodyLength;

    Request(Inbox inbox) {
        this.inbox = inbox;
    }

    /** GET, HEAD and so on. */
    public String method() {
        return method;
    }

    /** What is asked for, as it was sent: {@code /path?query}, also {@code http://host/path} and {@code *}. */
    public String target() {
        return target;
    }

    /** The target without host and query; neither decoded nor normalised. */
    public String path() {
        int query = target.indexOf('?');
        var path = query < 0 ? target : target.substring(0, query);
        if (!path.startsWith("http")) {
            return path;
        }
        int slash = path.indexOf('/', path.indexOf("://") + 3);
        return slash < 0 ? "/" : path.substring(slash);
    }

    /** A number in the query, as {@code n} in {@code ?n=5}. */
    public int query(String name, int otherwise) throws HttpException {
        int query = target.indexOf('?');
        for (var part :
                target.substring(query < 0 ? target.length() : query + 1).split("&")) {
            if (part.startsWith(name + "=")) {
                try {
                    return Integer.parseInt(part, name.length() + 1, part.length(), 10);
                } catch (NumberFormatException bad) {
                    throw new HttpException(400, name + " is not a number");
                }
            }
        }
        return otherwise;
    }

    /** Whether the client speaks HTTP/1.0, which knows no chunks. */
    public boolean isHttp10() {
        return http10;
    }

    /** The value of the first header field with a name, in lower case; null when there is none. */
    public String header(String lowerName) {
        for (int i = 0; i < count; i++) {
            if (Chars.equalsIgnoreCase(inbox.bytes, at(i, 0), at(i, 1), lowerName)) {
                return text(at(i, 2), at(i, 3));
            }
        }
        return null;
    }

    /** The body; empty when there is none. */
    public ByteBuffer body() {
        return ByteBuffer.wrap(body, 0, bodyLength).asReadOnlyBuffer();
    }

    private int at(int field, int part) {
        return inbox.head + fields[4 * field + part];
    }

    private String text(int from, int to) {
        return new String(inbox.bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return method + " " + target;
    }

    // What the parser puts in

    void clear() {
        count = 0;
        bodyLength = 0;
        if (body.length > SMALL_BODY) {
            body = EMPTY;
        }
    }

    void line(String newMethod, int targetStart, int targetEnd, boolean old) {
        method = newMethod;
        http10 = old;
        // Clients ask for the same thing again and again: then the text is there.
        if (!isTarget(targetStart, targetEnd)) {
            target = text(targetStart, targetEnd);
        }
    }

    private boolean isTarget(int from, int to) {
        if (to - from != target.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (inbox.bytes[i] != target.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }

    int fieldCount() {
        return count;
    }

    void addField(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        int at = 4 * count++;
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        fields[at] = nameStart - inbox.head;
        fields[at + 1] = nameEnd - inbox.head;
        fields[at + 2] = valueStart - inbox.head;
        fields[at + 3] = valueEnd - inbox.head;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** Adds what the inbox has, up to so many bytes; memory grows with what arrives, not with what was announced. */
    int addBody(int most) {
        int from = inbox.position;
        int taken = inbox.take(most);
        if (body.length - bodyLength < taken) {
            body = Arrays.copyOf(body, Math.max(bodyLength + taken, 2 * body.length));
        }
        System.arraycopy(inbox.bytes, from, body, bodyLength, taken);
        bodyLength += taken;
        return taken;
    }
}
