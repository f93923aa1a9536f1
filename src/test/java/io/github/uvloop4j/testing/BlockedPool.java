package io.github.uvloop4j.testing;

import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.uv.UvLoop;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Keeps all four threads of libuv's pool, which hang in opening a named pipe, until it is closed. */
public final class BlockedPool implements AutoCloseable {
    private static final int THREADS = 4;

    private final Fifo fifo = new Fifo();
    private final UvLoop loop = UvLoop.create();
    private final Arena arena = Arena.ofConfined();
    private final List<MemorySegment> requests = new ArrayList<>();

    /** Takes the threads; what is asked of the pool from now on waits. */
    public BlockedPool() throws IOException, InterruptedException {
        var path = arena.allocateFrom(fifo.path().toString());
        var address = MemorySegment.ofAddress(loop.address());
        for (int i = 0; i < THREADS; i++) {
            var request = arena.allocate(uv.uv_req_size(uv.UV_FS()), Long.BYTES);
            int status = uv.uv_fs_open(address, request, path, 0, 0, uv.uv_fs_req_cleanup$address());
            if (status < 0) {
                throw new IOException("uv_fs_open: " + status);
            }
            requests.add(request);
        }
    }

    @Override
    public void close() throws IOException {
        try (var writer = fifo.writer()) {
            loop.run(UvLoop.Mode.DEFAULT);
            for (var request : requests) {
                Fds.close((int) uv.uv_fs_get_result(request));
            }
            assert writer.isOpen();
        }
        loop.close();
        arena.close();
        fifo.close();
    }
}
