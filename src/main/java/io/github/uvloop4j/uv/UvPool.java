package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;

/** libuv's pool of worker threads, of which a process has one. */
public final class UvPool {
    private UvPool() {}

    /**
     * Starts the threads, unless they run already: they inherit the CPUs and the signal mask of the thread that is the
     * first to need them, which is this one then. Takes one asynchronous {@code uv_fs_stat}; no Java runs on the pool's
     * threads. Any platform thread that no loop runs on.
     *
     * @throws UnsatisfiedLinkError when libuv cannot be loaded
     */
    public static void start() {
        try (var loop = UvLoop.create();
                var arena = Arena.ofConfined()) {
            var request = arena.allocate(uv.uv_req_size(uv.UV_FS()), Long.BYTES);
            // libuv's own function is the callback: the request frees itself, on this thread.
            var cleanUp = uv.uv_fs_req_cleanup$address();
            var address = Memory.at(loop.address());
            int status = uv.uv_fs_stat(address, request, arena.allocateFrom("/"), cleanUp);
            if (status < 0) {
                throw new UvException(status, "fs stat /");
            }
            loop.run(UvLoop.Mode.DEFAULT);
        }
    }
}
