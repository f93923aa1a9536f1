package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;

/** Runs a callback before every poll. Binds {@code uv_prepare_t}. */
public final class UvPrepare extends UvWatcher {
    /** A handle that is not started. Binds {@code uv_prepare_init}. */
    public UvPrepare(UvLoop loop) {
        super(loop, uv.UV_PREPARE());
        initialised(uv.uv_prepare_init(Memory.at(loop.address()), Memory.at(raw())), "prepare init");
    }

    /** Starts it; on a started one only the callback changes. Binds {@code uv_prepare_start}. Loop thread only. */
    public void start(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        UvException.check(uv.uv_prepare_start(Memory.at(open()), Memory.at(Upcalls.Watching.FIRE)), "prepare start");
        callback(callback);
    }

    /** Stops it. Binds {@code uv_prepare_stop}. Loop thread only. */
    public void stop() {
        UvException.check(uv.uv_prepare_stop(Memory.at(open())), "prepare stop");
    }
}
