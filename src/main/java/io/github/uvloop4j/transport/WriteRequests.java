package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvWrite;
import java.util.ArrayDeque;

/** Write requests for use again and again. The pool is bounded. */
final class WriteRequests {
    private static final int BUFFERS = 16;
    private static final int KEEP = 64;

    private final UvLoop loop;
    private final ArrayDeque<UvWrite> pool = new ArrayDeque<>();

    WriteRequests(UvLoop loop) {
        this.loop = loop;
    }

    UvWrite take() {
        var request = pool.pollLast();
        return request != null ? request : new UvWrite(loop, BUFFERS);
    }

    void give(UvWrite request) {
        request.clear();
        if (pool.size() < KEEP) {
            pool.addLast(request);
        } else {
            request.free();
        }
    }

    void close() {
        pool.forEach(UvWrite::free);
        pool.clear();
    }
}
