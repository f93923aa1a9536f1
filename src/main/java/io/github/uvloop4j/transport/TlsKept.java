package io.github.uvloop4j.transport;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes of records that have to wait, mostly for the rest of their record. Holds no memory while there are none. */
final class TlsKept {
    private final TlsBuffers buffers;

    /** Filled up to its position. */
    private @Nullable ByteBuffer held;

    TlsKept(TlsBuffers buffers) {
        this.buffers = buffers;
    }

    int size() {
        return held == null ? 0 : held.position();
    }

    /** Appends the rest of a buffer. */
    void append(ByteBuffer source) {
        if (source.hasRemaining()) {
            room(source.remaining()).put(source);
        }
    }

    private ByteBuffer room(int count) {
        var before = held;
        if (before != null && before.remaining() >= count) {
            return before;
        }
        int needed = size() + count;
        var grown = needed <= TlsBuffers.RECORD
                ? buffers.takePart()
                : ByteBuffer.allocate(Math.max(needed, 2 * TlsBuffers.RECORD));
        if (before != null) {
            grown.put(before.flip());
            buffers.givePart(before);
        }
        held = grown;
        return grown;
    }

    /** What is kept, from 0 to its limit; to look at only. */
    ByteBuffer view() {
        var known = held;
        return known == null ? ByteBuffer.allocate(0) : known.duplicate().flip();
    }

    /** Moves what fits into a buffer. */
    void moveTo(ByteBuffer target) {
        var known = held;
        if (known == null) {
            return;
        }
        known.flip();
        int count = Math.min(known.remaining(), target.remaining());
        target.put(target.position(), known, 0, count);
        target.position(target.position() + count);
        known.position(count);
        if (known.hasRemaining()) {
            known.compact();
        } else {
            clear();
        }
    }

    void clear() {
        var known = held;
        held = null;
        if (known != null) {
            buffers.givePart(known);
        }
    }
}
