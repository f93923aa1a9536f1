package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/** The end of writing, after what is queued. Binds {@code uv_shutdown_t}. */
public final class UvShutdown extends UvRequest {
    /** A request for {@link UvStream#shutdown}. */
    public UvShutdown(UvLoop loop) {
        super(loop, uv.UV_SHUTDOWN(), 0);
    }
}
