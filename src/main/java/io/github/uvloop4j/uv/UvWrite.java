package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.MemorySegment;

/**
 * A gathered write: a request and its buffers' descriptors in one block of memory. Binds {@code uv_write_t}. The bytes
 * must stay as they are until the callback. Loop thread only.
 */
public final class UvWrite extends UvRequest {
    private static final long BUFFER_SIZE = 16;

    private final long buffers;
    private final MemorySegment[] keep;
    private int count;

    /** A request for up to {@code capacity} buffers, 1 or more. */
    public UvWrite(UvLoop loop, int capacity) {
        super(loop, uv.UV_WRITE(), BUFFER_SIZE * positive(capacity));
        this.buffers = raw() + uv.uv_req_size(uv.UV_WRITE());
        this.keep = new MemorySegment[capacity];
    }

    private static int positive(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be 1 or more: " + capacity);
        }
        return capacity;
    }

    /** Throws unless the request and its buffers' descriptors can be handed to libuv. */
    void checkUsable() {
        checkNotFreed();
        if (isPending()) {
            throw new IllegalStateException(this + " is still pending");
        }
    }

    /** Forgets the buffers. */
    public void clear() {
        checkUsable();
        java.util.Arrays.fill(keep, 0, count, MemorySegment.NULL);
        count = 0;
    }

    /** Whether no further buffer has a place. */
    public boolean isFull() {
        return count == keep.length;
    }

    /** Appends part of a native segment. */
    public void add(MemorySegment data, long offset, long length) {
        long address = Memory.addressOf(data, offset, length);
        checkUsable();
        if (isFull()) {
            throw new IllegalStateException("no place for another buffer");
        }
        Memory.putLong(buffers() + BUFFER_SIZE * count, address);
        Memory.putLong(buffers + BUFFER_SIZE * count + 8, length);
        keep[count++] = data;
    }

    /** Whether there is not a byte in it. */
    boolean isEmpty() {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += Memory.getLong(buffers() + BUFFER_SIZE * i + 8);
        }
        return bytes == 0;
    }

    long buffers() {
        checkNotFreed();
        return buffers;
    }

    int count() {
        return count;
    }
}
