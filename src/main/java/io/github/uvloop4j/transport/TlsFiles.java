package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Connection;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Files over TLS, where the kernel cannot send them: read and written in pieces. */
final class TlsFiles {
    static final int PIECE = 64 * 1024;

    private TlsFiles() {}

    /** Sends part of a file, in a task; returns how many bytes. */
    static long copy(LoopIo io, Connection target, Path path, long position, long count) throws IOException {
        var file = Linear.await(OpenFile.open(io, path));
        try {
            long most = Math.min(count, Math.max(0, file.size() - position));
            var memory = Arena.ofAuto().allocate(PIECE);
            long sent = 0;
            while (sent < most) {
                var piece = memory.asSlice(0, Math.min(PIECE, most - sent));
                int got = Linear.await(file.read(piece, position + sent));
                if (got == 0) {
                    // It was cut off meanwhile.
                    break;
                }
                target.write(piece.asByteBuffer().limit(got));
                sent += got;
            }
            return sent;
        } finally {
            file.close();
        }
    }
}
