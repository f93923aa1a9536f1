package io.github.uvloop4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a loop receives datagrams into, and the view of it that protocols are shown. Loop thread only. */
final class DatagramMemory {
    /** The largest datagram fits, and libuv wants so much for each of a batch. */
    static final int LARGEST = 64 * 1024;

    private static final int BATCH = 8 * LARGEST;

    /** Memory and the one view of it, empty between calls. */
    static final class Area {
        final MemorySegment memory;
        final ByteBuffer view;

        Area(int size) {
            memory = Arena.ofAuto().allocate(size, 64);
            view = memory.asByteBuffer().limit(0);
        }
    }

    private @Nullable Area single;
    private @Nullable Area batch;

    /** Allocated when needed, by the loop thread, so that it lies where that is pinned to. */
    Area area(boolean batching) {
        var known = batching ? batch : single;
        if (known == null) {
            known = new Area(batching ? BATCH : LARGEST);
            if (batching) {
                batch = known;
            } else {
                single = known;
            }
        }
        return known;
    }

    /** The memory behind a view, or null for another buffer. */
    @Nullable
    MemorySegment behind(ByteBuffer buffer) {
        return single != null && buffer == single.view
                ? single.memory
                : batch != null && buffer == batch.view ? batch.memory : null;
    }
}
