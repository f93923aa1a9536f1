package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Connection;
import java.io.IOException;

/** Bytes from one connection to another. */
final class Transfers {
    private Transfers() {}

    /** Copies until the end of the stream, in a task; returns how many bytes. */
    static long copy(LoopIo io, Connection source, Connection target) throws IOException {
        io.check();
        var chunk = io.chunks().take();
        var buffer = chunk.memory.asByteBuffer();
        long total = 0;
        try {
            for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
                total += count;
                target.write(buffer.flip());
                buffer.clear();
            }
        } finally {
            io.chunks().give(chunk);
        }
        return total;
    }
}
