package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A gathered write: a request and its buffers' descriptors in one block of memory. Binds {@code uv_write_t}. The bytes
 * must stay as they are until the callback. Loop thread only.
 */
public final class UvWrite extends UvRequest {
    private static final long BUFFER_SIZE = 16;

    private final long buffers;
    private final MemorySegment[] keep;
    private int count;

    /** A request for up to {@code capacity} buffers. */
    public UvWrite(UvLoop loop, int capacity) {
        super(loop, uv.UV_WRITE(), BUFFER_SIZE * capacity);
        this.buffers = raw() + uv.uv_req_size(uv.UV_WRITE());
        this.keep = new MemorySegment[capacity];
    }

    /** Forgets the buffers. */
    public void clear() {
        java.util.Arrays.fill(keep, 0, count, MemorySegment.NULL);
        count = 0;
    }

    /** Whether no further buffer has a place. */
    public boolean isFull() {
        return count == keep.length;
    }

    /** Appends part of a native segment. */
    public void add(MemorySegment data, long offset, long length) {
        if (!data.isNative()) {
            throw new IllegalArgumentException("heap memory cannot be written: the garbage collector may move it");
        }
        if (isPending() || isFull()) {
            throw new IllegalStateException(isFull() ? "no place for another buffer" : this + " is still pending");
        }
        Objects.checkFromIndexSize(offset, length, data.byteSize());
        Memory.putLong(buffers + BUFFER_SIZE * count, data.address() + offset);
        Memory.putLong(buffers + BUFFER_SIZE * count + 8, length);
        keep[count++] = data;
    }

    long buffers() {
        return buffers;
    }

    int count() {
        return count;
    }
}
