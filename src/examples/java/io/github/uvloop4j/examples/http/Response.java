package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** An answer. Whole ones are immutable and can be made once and sent to many. */
public sealed interface Response {
    /** All that is sent, but for the fields that depend on the moment and the connection. */
    record Whole(int status, byte[] head, byte[] body) implements Response {
        /** Checks that nothing is missing. */
        public Whole {
            Objects.requireNonNull(head, "head");
            Objects.requireNonNull(body, "body");
        }

        /** A copy with one more header field. */
        public Whole header(String name, String value) {
            var field = (name + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            var longer = new byte[head.length + field.length];
            System.arraycopy(head, 0, longer, 0, head.length);
            System.arraycopy(field, 0, longer, head.length, field.length);
            return new Whole(status, longer, body);
        }
    }

    /** A body that is written bit by bit, in chunks, by a task of its own. */
    record Streamed(byte[] head, Body body) implements Response {}

    /** An answer that is not there yet. */
    record Later(LoopFuture<Response> response) implements Response {}

    /** Writes a body. */
    @FunctionalInterface
    interface Body {
        /** Runs in a task. What it throws ends the connection, so that the client sees that something is missing. */
        void writeTo(BodyOutput output) throws Exception;
    }

    /** 200 with plain text. */
    static Whole text(String text) {
        return of(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** A status with a body. */
    static Whole of(int status, String type, byte[] body) {
        var head = line(status) + "Content-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n";
        return new Whole(status, head.getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /** A status with a sentence for people. */
    static Whole error(int status, String reason) {
        return of(status, "text/plain; charset=utf-8", (reason + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with a body that is not known in advance. */
    static Streamed stream(String type, Body body) {
        var head = line(200) + "Content-Type: " + type + "\r\n";
        return new Streamed(head.getBytes(StandardCharsets.ISO_8859_1), body);
    }

    private static String line(int status) {
        return "HTTP/1.1 " + status + ' ' + phrase(status) + "\r\n";
    }

    private static String phrase(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 417 -> "Expectation Failed";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 505 -> "HTTP Version Not Supported";
            default -> "";
        };
    }
}
