package io.github.uvloop4j.examples.http;

import java.time.Duration;

/**
 * What a client may cost.
 *
 * @param requestLine how many bytes a request line may have; else 414
 * @param headerBytes how many bytes all header fields may have together; else 431
 * @param headerCount how many header fields a request may have; else 431
 * @param body how many bytes a body may have; else 413
 * @param request how long a request may take to arrive, from its first byte to its last; else 408
 * @param idle how long a connection may wait for its next request
 */
public record HttpLimits(int requestLine, int headerBytes, int headerCount, int body, Duration request, Duration idle) {
    /** 8 KiB, 32 KiB, 100, 1 MiB, 30 s and 60 s. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(8 * 1024, 32 * 1024, 100, 1024 * 1024, Duration.ofSeconds(30), Duration.ofSeconds(60));

    /** A copy with other sizes of line, header and body. */
    public HttpLimits sizes(int line, int header, int bytes) {
        return new HttpLimits(line, header, headerCount, bytes, request, idle);
    }

    /** A copy with other times for a request to arrive, and between requests. */
    public HttpLimits times(Duration arriving, Duration between) {
        return new HttpLimits(requestLine, headerBytes, headerCount, body, arriving, between);
    }
}
