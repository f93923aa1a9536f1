package io.github.uvloop4j.cli.client;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The endless stream of requests that a connection sends: each message is {@code messageSize - 1} times an x and a
 * newline, each request {@code messagesPerRequest} messages. Repeated often enough in one direct buffer that a write
 * or a comparison at any place of a request has at least {@link #MIN_RUN} bytes ahead of it.
 */
final class RequestPattern {
    static final int MAX_REQUEST = 64 << 20;
    private static final int MIN_RUN = 256 << 10;

    private final int requestSize;
    private final ByteBuffer bytes;
    private final MemorySegment segment;

    RequestPattern(int messageSize, int messagesPerRequest) {
        requestSize = Math.multiplyExact(messageSize, messagesPerRequest);
        var requests = 1 + (MIN_RUN + requestSize - 1) / requestSize;
        var message = new byte[messageSize];
        Arrays.fill(message, (byte) 'x');
        message[messageSize - 1] = '\n';
        bytes = ByteBuffer.allocateDirect(requestSize * requests);
        while (bytes.hasRemaining()) {
            bytes.put(message);
        }
        bytes.clear();
        segment = MemorySegment.ofBuffer(bytes);
    }

    int requestSize() {
        return requestSize;
    }

    /** A view of its own to write from; {@link #aim} sets it. */
    ByteBuffer view() {
        return bytes.duplicate();
    }

    /** Sets a view to at most {@code length} bytes from place {@code phase} of a request on. */
    void aim(ByteBuffer view, int phase, long length) {
        view.limit(phase + (int) Math.min(length, bytes.capacity() - phase)).position(phase);
    }

    /**
     * Compares what came back.
     *
     * @param received the bytes
     * @param length how many there are
     * @param phase the place in a request where the first one belongs
     * @return the index of the first wrong byte, or -1
     */
    long mismatch(MemorySegment received, int length, int phase) {
        var from = 0;
        var place = phase;
        while (from < length) {
            var run = Math.min(length - from, bytes.capacity() - place);
            var wrong = MemorySegment.mismatch(received, from, from + run, segment, place, place + run);
            if (wrong >= 0) {
                return from + wrong;
            }
            from += run;
            place = (place + run) % requestSize;
        }
        return -1;
    }
}
