package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;

/** Runs a callback once in every iteration, which then does not block. Binds {@code uv_idle_t}. */
public final class UvIdle extends UvWatcher {
    /** A handle that is not started. Binds {@code uv_idle_init}. */
    public UvIdle(UvLoop loop) {
        super(loop, uv.UV_IDLE());
        initialised(uv.uv_idle_init(Memory.at(loop.address()), Memory.at(raw())), "idle init");
    }

    /** Starts it; on a started one only the callback changes. Binds {@code uv_idle_start}. Loop thread only. */
    public void start(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        UvException.check(uv.uv_idle_start(Memory.at(open()), Memory.at(Upcalls.Watching.FIRE)), "idle start");
        callback(callback);
    }

    /** Stops it. Binds {@code uv_idle_stop}. Loop thread only. */
    public void stop() {
        UvException.check(uv.uv_idle_stop(Memory.at(open())), "idle stop");
    }
}
