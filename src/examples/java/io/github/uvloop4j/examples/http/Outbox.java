package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.net.Transport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Gathers the answers to requests that came together, so that they leave in one system call. One for all connections of
 * a loop: it is empty whenever the loop turns to another one.
 */
final class Outbox {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(32 * 1024);

    /** Ends a head, too. */
    private byte[] date;

    private long second = -1;

    Outbox() {
        tick();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Looks at the clock. */
    void tick() {
        var now = ZonedDateTime.now(ZoneOffset.UTC);
        if (now.toEpochSecond() != second) {
            second = now.toEpochSecond();
            date = ascii("Date: " + FORMAT.format(now) + "\r\n\r\n");
        }
    }

    void putContinue(Transport transport) {
        put(transport, CONTINUE);
    }

    void putHead(Transport transport, byte[] head, boolean chunked, boolean close, boolean http10) {
        put(transport, head);
        if (chunked) {
            put(transport, CHUNKED);
        }
        if (close) {
            put(transport, CLOSE);
        } else if (http10) {
            put(transport, KEEP_ALIVE);
        }
        put(transport, date);
    }

    void put(Transport transport, byte[] more) {
        if (bytes.remaining() >= more.length) {
            bytes.put(more);
        } else {
            bytes.flip();
            transport.writeLines(List.of(bytes, ByteBuffer.wrap(more)));
            bytes.clear();
        }
    }

    void clear() {
        bytes.clear();
    }

    void flush(Transport transport) {
        if (bytes.position() > 0) {
            transport.write(bytes.flip());
            bytes.clear();
        }
    }
}
