package io.github.uvloop4j.examples.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds requests in a stream of bytes: bytes in, events out, no I/O. One parser for each connection; it and its request
 * serve from request to request without new memory. After an HttpException it has lost its place: answer and close.
 */
public final class HttpParser {
    /** What was found. */
    public enum Event {
        /** More bytes are needed. */
        MORE,
        /** The header fields are there, the body is not: a client may wait for a word now. */
        HEAD,
        /** The request is complete, and valid until the next call. */
        COMPLETE
    }

    private enum State {
        REQUEST_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        COMPLETE
    }

    private static final String[] METHODS = {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"};
    private static final byte[][] METHOD_BYTES = Arrays.stream(METHODS)
            .map(method -> method.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    /** A chunk's size, with extensions that nobody needs. */
    private static final int CHUNK_LINE = 256;

    private final HttpLimits limits;
    private final Inbox inbox = new Inbox();
    private final Request request = new Request(inbox);
    private final Framing framing = new Framing();
    private State state = State.REQUEST_LINE;
    private boolean skippedEmptyLine;
    private int headerBytes;
    private long missing;

    /** A parser at the beginning of a stream. */
    public HttpParser(HttpLimits limits) {
        this.limits = limits;
    }

    /** Takes bytes in; {@link #next} says what they are. */
    public void feed(ByteBuffer data) {
        inbox.append(data);
    }

    /** The request that the last event is about. */
    public Request request() {
        return request;
    }

    /** Whether the connection may serve again after the request. */
    public boolean keepsAlive() {
        return framing.keepsAlive(request.isHttp10());
    }

    /** Whether the client waits for 100 (Continue); after the event HEAD. */
    public boolean expectsContinue() {
        return framing.expectsContinue() && inbox.unread() == 0;
    }

    /** Whether a request has begun to arrive. */
    public boolean isInRequest() {
        return state != State.COMPLETE && (state != State.REQUEST_LINE || inbox.unread() > 0);
    }

    /** How many bytes were fed and not looked at yet. */
    public int unread() {
        return inbox.unread();
    }

    /** The next event. Throws what the request is to be answered with. */
    public Event next() throws HttpException {
        if (state == State.COMPLETE) {
            inbox.release();
            request.clear();
            framing.clear();
            state = State.REQUEST_LINE;
            skippedEmptyLine = false;
            headerBytes = 0;
        }
        return switch (state) {
            case REQUEST_LINE -> requestLine();
            case FIELDS -> fields();
            case BODY -> body();
            default -> chunks();
        };
    }

    private Event requestLine() throws HttpException {
        int most = limits.requestLine() + 2;
        while (inbox.nextLine(most)) {
            if (inbox.lineLength() > 0) {
                line(inbox.bytes, inbox.lineStart, inbox.lineEnd);
                inbox.keep();
                state = State.FIELDS;
                return fields();
            }
            if (skippedEmptyLine) {
                throw new HttpException(400, "an empty request line");
            }
            skippedEmptyLine = true; // some clients send one too many after a body
            inbox.release();
        }
        return moreUpTo(most, 414, "the request line is too long");
    }

    /** More bytes are needed, unless there are too many already. */
    private Event moreUpTo(int most, int status, String reason) throws HttpException {
        if (inbox.unread() >= most) {
            throw new HttpException(status, reason);
        }
        return Event.MORE;
    }

    private void line(byte[] bytes, int from, int to) throws HttpException {
        int methodEnd = Chars.indexOf(bytes, from, to, ' ');
        int targetEnd = methodEnd < 0 ? -1 : Chars.indexOf(bytes, methodEnd + 1, to, ' ');
        if (targetEnd < 0 || !Chars.isToken(bytes, from, methodEnd)) {
            throw new HttpException(400, "bad request line");
        }
        boolean http10 = version(bytes, targetEnd + 1, to) == 0;
        var method = method(bytes, from, methodEnd);
        if (!isTarget(bytes, methodEnd + 1, targetEnd, method)) {
            throw new HttpException(400, "bad request target");
        }
        request.line(method, methodEnd + 1, targetEnd, http10);
    }

    private static String method(byte[] bytes, int from, int to) throws HttpException {
        for (int i = 0; i < METHODS.length; i++) {
            var known = METHOD_BYTES[i];
            if (Arrays.equals(bytes, from, to, known, 0, known.length)) {
                return METHODS[i];
            }
        }
        throw new HttpException(501, "unknown method");
    }

    private static boolean isTarget(byte[] bytes, int from, int to, String method) {
        if (from == to || !Chars.isVisible(bytes, from, to) || Chars.indexOf(bytes, from, to, '#') >= 0) {
            return false;
        }
        return bytes[from] == '/'
                || (bytes[from] == '*' && to - from == 1 && method.equals("OPTIONS"))
                || (to - from > 7 && Chars.equalsIgnoreCase(bytes, from, from + 7, "http://"))
                || (to - from > 8 && Chars.equalsIgnoreCase(bytes, from, from + 8, "https://"));
    }

    /** The minor version of HTTP/1. */
    private static int version(byte[] bytes, int from, int to) throws HttpException {
        boolean wellFormed = to - from == 8
                && bytes[from] == 'H'
                && bytes[from + 1] == 'T'
                && bytes[from + 2] == 'T'
                && bytes[from + 3] == 'P'
                && bytes[from + 4] == '/'
                && isDigit(bytes[from + 5])
                && bytes[from + 6] == '.'
                && isDigit(bytes[from + 7]);
        if (!wellFormed) {
            throw new HttpException(400, "bad request line");
        }
        if (bytes[from + 5] != '1') {
            throw new HttpException(505, "not HTTP/1");
        }
        return bytes[from + 7] - '0';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private Event fields() throws HttpException {
        while (nextField()) {
            if (inbox.lineLength() == 0) {
                framing.check(request.isHttp10(), limits.body());
                missing = framing.length();
                state = framing.isChunked() ? State.CHUNK_SIZE : State.BODY;
                return Event.HEAD;
            }
            if (request.fieldCount() == limits.headerCount()) {
                throw new HttpException(431, "too many header fields");
            }
            field(true);
            inbox.keep();
        }
        return moreOfHeader();
    }

    private boolean nextField() throws HttpException {
        boolean found = inbox.nextLine(limits.headerBytes() - headerBytes);
        headerBytes += found ? inbox.lineLength() + 2 : 0;
        return found;
    }

    private Event moreOfHeader() throws HttpException {
        return moreUpTo(limits.headerBytes() - headerBytes, 431, "the header is too long");
    }

    /** A field of the header, or one after the last chunk, which is checked and dropped. */
    private void field(boolean kept) throws HttpException {
        var bytes = inbox.bytes;
        int from = inbox.lineStart;
        int colon = Chars.indexOf(bytes, from, inbox.lineEnd, ':');
        // Also refuses a blank before the colon, and lines that go on with a blank: others read those in their own way.
        if (colon < 0 || !Chars.isToken(bytes, from, colon)) {
            throw new HttpException(400, "bad header field");
        }
        int start = colon + 1;
        int end = inbox.lineEnd;
        while (start < end && Chars.isBlank(bytes[start])) {
            start++;
        }
        while (start < end && Chars.isBlank(bytes[end - 1])) {
            end--;
        }
        if (!Chars.isText(bytes, start, end)) {
            throw new HttpException(400, "a control character in a header field");
        }
        if (kept) {
            request.addField(from, colon, start, end);
            framing.field(bytes, from, colon, start, end);
        }
    }

    private Event body() {
        missing -= request.addBody((int) missing);
        return missing > 0 ? Event.MORE : complete();
    }

    private Event complete() {
        state = State.COMPLETE;
        return Event.COMPLETE;
    }

    private Event chunks() throws HttpException {
        while (true) {
            switch (state) {
                case CHUNK_SIZE -> {
                    if (!inbox.nextLine(CHUNK_LINE)) {
                        return moreUpTo(CHUNK_LINE, 400, "the size of a chunk is too long");
                    }
                    chunkSize();
                }
                case CHUNK -> {
                    missing -= request.addBody((int) missing);
                    if (missing > 0) {
                        return Event.MORE;
                    }
                    state = State.CHUNK_END;
                }
                case CHUNK_END -> {
                    if (!inbox.nextLine(2)) {
                        return moreUpTo(2, 400, "a chunk is longer than its size");
                    }
                    state = State.CHUNK_SIZE;
                }
                default -> {
                    if (!nextField()) {
                        return moreOfHeader();
                    }
                    if (inbox.lineLength() == 0) {
                        return complete();
                    }
                    field(false);
                }
            }
        }
    }

    private void chunkSize() throws HttpException {
        var bytes = inbox.bytes;
        int end = inbox.lineStart;
        long size = 0;
        for (; end < inbox.lineEnd; end++) {
            int digit = Character.digit(bytes[end], 16);
            if (digit < 0) {
                break;
            }
            size = size > Integer.MAX_VALUE ? size : 16 * size + digit;
        }
        boolean extended = end < inbox.lineEnd;
        if (end == inbox.lineStart || (extended && bytes[end] != ';') || !Chars.isText(bytes, end, inbox.lineEnd)) {
            throw new HttpException(400, "bad chunk size");
        }
        if (request.bodyLength() + size > limits.body()) {
            throw new HttpException(413, "the body is longer than " + limits.body() + " bytes");
        }
        missing = size;
        state = size == 0 ? State.TRAILERS : State.CHUNK;
    }
}
