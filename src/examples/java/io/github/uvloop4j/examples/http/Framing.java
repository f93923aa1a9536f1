package io.github.uvloop4j.examples.http;

/**
 * What the header fields say about where a request ends and what follows it (RFC 9112, 6 and 9). Strict, as two servers
 * in a row that see different ends let one client's request pass as a part of another's.
 */
final class Framing {
    private int hosts;
    private long length;
    private boolean hasLength;
    private boolean chunked;
    private boolean close;
    private boolean keepAlive;
    private boolean expectsContinue;

    void clear() {
        hosts = 0;
        length = 0;
        hasLength = false;
        chunked = false;
        close = false;
        keepAlive = false;
        expectsContinue = false;
    }

    /** The length that was announced; 0 without a body, and for chunks. */
    long length() {
        return length;
    }

    boolean isChunked() {
        return chunked;
    }

    /** Whether the client waits for a word before it sends the body. */
    boolean expectsContinue() {
        return expectsContinue && (chunked || length > 0);
    }

    /** Whether the connection goes on after this request. */
    boolean keepsAlive(boolean http10) {
        return !close && (!http10 || keepAlive);
    }

    /** Looks at a field. Most have a name of another length than those that matter. */
    void field(byte[] bytes, int nameStart, int nameEnd, int from, int to) throws HttpException {
        switch (nameEnd - nameStart) {
            case 4 -> {
                if (Chars.equalsIgnoreCase(bytes, nameStart, nameEnd, "host")) {
                    host(bytes, from, to);
                }
            }
            case 6 -> {
                if (Chars.equalsIgnoreCase(bytes, nameStart, nameEnd, "expect")) {
                    expect(bytes, from, to);
                }
            }
            case 10 -> {
                if (Chars.equalsIgnoreCase(bytes, nameStart, nameEnd, "connection")) {
                    connection(bytes, from, to);
                }
            }
            case 14 -> {
                if (Chars.equalsIgnoreCase(bytes, nameStart, nameEnd, "content-length")) {
                    contentLength(bytes, from, to);
                }
            }
            case 17 -> {
                if (Chars.equalsIgnoreCase(bytes, nameStart, nameEnd, "transfer-encoding")) {
                    transferEncoding(bytes, from, to);
                }
            }
            default -> {}
        }
    }

    private void host(byte[] bytes, int from, int to) throws HttpException {
        if (hosts++ > 0) {
            throw new HttpException(400, "several Host fields");
        }
        if (!Chars.isVisible(bytes, from, to)
                || Chars.indexOf(bytes, from, to, '/') >= 0
                || Chars.indexOf(bytes, from, to, '@') >= 0) {
            throw new HttpException(400, "bad Host");
        }
    }

    private void expect(byte[] bytes, int from, int to) throws HttpException {
        if (!Chars.equalsIgnoreCase(bytes, from, to, "100-continue")) {
            throw new HttpException(417, "unknown expectation");
        }
        expectsContinue = true;
    }

    private void connection(byte[] bytes, int from, int to) {
        for (int start = from; start < to; ) {
            int comma = Chars.indexOf(bytes, start, to, ',');
            int end = comma < 0 ? to : comma;
            int first = start;
            int last = end;
            while (first < last && Chars.isBlank(bytes[first])) {
                first++;
            }
            while (first < last && Chars.isBlank(bytes[last - 1])) {
                last--;
            }
            close |= Chars.equalsIgnoreCase(bytes, first, last, "close");
            keepAlive |= Chars.equalsIgnoreCase(bytes, first, last, "keep-alive");
            start = end + 1;
        }
    }

    private void contentLength(byte[] bytes, int from, int to) throws HttpException {
        if (hasLength) {
            throw new HttpException(400, "several Content-Length fields");
        }
        hasLength = true;
        if (from == to) {
            throw new HttpException(400, "empty Content-Length");
        }
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new HttpException(400, "bad Content-Length");
            }
            // Above every limit it may stay where it is.
            length = length > Integer.MAX_VALUE ? length : 10 * length + digit;
        }
    }

    private void transferEncoding(byte[] bytes, int from, int to) throws HttpException {
        if (chunked) {
            throw new HttpException(400, "several Transfer-Encoding fields");
        }
        int last = to;
        while (last > from && bytes[last - 1] != ',' && !Chars.isBlank(bytes[last - 1])) {
            last--;
        }
        if (!Chars.equalsIgnoreCase(bytes, last, to, "chunked")) {
            throw new HttpException(400, "a Transfer-Encoding that does not tell the end");
        }
        if (last > from) {
            throw new HttpException(501, "unknown Transfer-Encoding");
        }
        chunked = true;
    }

    /** Judges the fields together. */
    void check(boolean http10, int bodyLimit) throws HttpException {
        if (chunked && hasLength) {
            throw new HttpException(400, "both Content-Length and Transfer-Encoding");
        }
        if (chunked && http10) {
            throw new HttpException(400, "Transfer-Encoding in HTTP/1.0");
        }
        if (hosts == 0 && !http10) {
            throw new HttpException(400, "no Host");
        }
        if (length > bodyLimit) {
            throw new HttpException(413, "the body is longer than " + bodyLimit + " bytes");
        }
        expectsContinue &= !http10;
    }
}
