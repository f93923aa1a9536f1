package io.github.uvloop4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Pooled pieces of native memory for what could not be sent at once. The pool is bounded. */
final class Chunks {
    static final int SIZE = 64 * 1024;
    private static final int KEEP = 32;

    /** A piece of memory, filled from {@code start} to {@code end}. */
    static final class Chunk {
        final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 64);
        private final ByteBuffer bytes = memory.asByteBuffer();
        int start;
        int end;

        int size() {
            return end - start;
        }

        int room() {
            return SIZE - end;
        }

        /** Takes what fits from a buffer, whose position moves. */
        void fill(ByteBuffer source) {
            int count = Math.min(room(), source.remaining());
            bytes.put(end, source, source.position(), count);
            source.position(source.position() + count);
            end += count;
        }
    }

    private final Chunk[] pool = new Chunk[KEEP];
    private int pooled;

    Chunk take() {
        if (pooled == 0) {
            return new Chunk();
        }
        var chunk = pool[--pooled];
        chunk.start = 0;
        chunk.end = 0;
        return chunk;
    }

    void give(Chunk chunk) {
        if (pooled < KEEP) {
            pool[pooled++] = chunk;
        }
    }

    void close() {
        pooled = 0;
        java.util.Arrays.fill(pool, null);
    }
}
