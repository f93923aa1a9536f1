package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Pooled pieces of native memory for what could not be sent at once. The pool is bounded. The memory is malloc'ed: left to
 * the garbage collector, a burst of them would wait for it, or exhaust the limit of direct memory before it runs.
 */
final class Chunks {
    static final int SIZE = 64 * 1024;
    private static final int KEEP = 32;

    /** A piece of memory, filled from {@code start} to {@code end}. */
    static final class Chunk {
        final MemorySegment memory = allocate();
        private final ByteBuffer bytes = memory.asByteBuffer();
        int start;
        int end;

        /** How many datagrams in it wait to be sent. */
        int users;

        private static MemorySegment allocate() {
            var memory = libc.malloc(SIZE);
            if (memory.address() == 0) {
                throw new OutOfMemoryError("native memory: " + SIZE + " bytes");
            }
            return memory.reinterpret(SIZE);
        }

        int size() {
            return end - start;
        }

        int room() {
            return SIZE - end;
        }

        /** Takes what fits from a buffer, whose position moves; returns how many bytes. */
        int fill(ByteBuffer source) {
            int count = Math.min(room(), source.remaining());
            bytes.put(end, source, source.position(), count);
            source.position(source.position() + count);
            end += count;
            return count;
        }
    }

    private final Chunk[] pool = new Chunk[KEEP];
    private int pooled;
    private int taken;
    private boolean closed;

    Chunk take() {
        var chunk = pooled == 0 ? new Chunk() : pool[--pooled];
        taken++;
        chunk.start = 0;
        chunk.end = 0;
        chunk.users = 0;
        return chunk;
    }

    /** Takes a chunk back, which nobody may use any more. */
    void give(Chunk chunk) {
        taken--;
        if (pooled < KEEP && !closed) {
            pool[pooled++] = chunk;
        } else {
            libc.free(chunk.memory);
        }
    }

    /** How many were taken and not given back. */
    int taken() {
        return taken;
    }

    void close() {
        closed = true;
        while (pooled > 0) {
            libc.free(pool[--pooled].memory);
        }
    }
}
