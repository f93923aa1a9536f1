package io.github.uvloop4j.transport;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that arrived before anyone asked for them. */
final class ByteQueue {
    private static final byte[] EMPTY = {};

    private byte[] bytes = EMPTY;
    private int start;
    private int end;

    int size() {
        return end - start;
    }

    /** Appends the rest of a buffer. */
    void append(ByteBuffer source) {
        int count = source.remaining();
        reserve(count);
        source.get(bytes, end, count);
        end += count;
    }

    private void reserve(int count) {
        if (bytes.length - end >= count) {
            return;
        }
        int size = size();
        if (bytes.length - size >= count && start >= size) {
            System.arraycopy(bytes, start, bytes, 0, size);
        } else {
            var grown = new byte[Math.max(Math.max(1024, bytes.length << 1), size + count)];
            System.arraycopy(bytes, start, grown, 0, size);
            bytes = grown;
        }
        start = 0;
        end = size;
    }

    /** Puts bytes back in front. */
    void unread(byte[] source, int count) {
        if (count <= start) {
            start -= count;
            System.arraycopy(source, 0, bytes, start, count);
            return;
        }
        var grown = new byte[size() + count];
        System.arraycopy(source, 0, grown, 0, count);
        System.arraycopy(bytes, start, grown, count, size());
        end = grown.length;
        start = 0;
        bytes = grown;
    }

    /** Moves what fits into a buffer. */
    int take(ByteBuffer target) {
        int count = Math.min(size(), target.remaining());
        target.put(bytes, start, count);
        skip(count);
        return count;
    }

    /** Removes and returns so many bytes. */
    byte[] take(int count) {
        var taken = Arrays.copyOfRange(bytes, start, start + count);
        skip(count);
        return taken;
    }

    void clear() {
        skip(size());
    }

    private void skip(int count) {
        start += count;
        if (start == end) {
            start = 0;
            end = 0;
            if (bytes.length > Chunks.SIZE) {
                bytes = EMPTY;
            }
        }
    }

    /** Where a separator begins, at or after an offset; -1 if it is not there. */
    int indexOf(byte[] separator, int from) {
        for (int i = start + Math.max(0, from); i <= end - separator.length; i++) {
            if (bytes[i] == separator[0]
                    && Arrays.equals(bytes, i, i + separator.length, separator, 0, separator.length)) {
                return i - start;
            }
        }
        return -1;
    }
}
