package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/** A connect that may take time. Binds {@code uv_connect_t}. */
public final class UvConnect extends UvRequest {
    /** A request for {@link UvTcp#connect} or {@link UvPipe#connect}. */
    public UvConnect(UvLoop loop) {
        super(loop, uv.UV_CONNECT(), 0);
    }
}
