package io.github.uvloop4j.transport;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The segment behind a direct buffer, position 0 to capacity. Remembers the last one: a connection mostly uses one
 * buffer, and making a segment allocates.
 */
final class BufferSegments {
    private @Nullable ByteBuffer last;
    private MemorySegment segment = MemorySegment.NULL;

    MemorySegment of(ByteBuffer buffer) {
        if (buffer != last) {
            segment = MemorySegment.ofBuffer(buffer.duplicate().clear());
            last = buffer;
        }
        return segment;
    }

    void clear() {
        last = null;
        segment = MemorySegment.NULL;
    }
}
