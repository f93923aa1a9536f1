package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;

/** Runs a callback after every poll. Binds {@code uv_check_t}. */
public final class UvCheck extends UvWatcher {
    /** A handle that is not started. Binds {@code uv_check_init}. */
    public UvCheck(UvLoop loop) {
        super(loop, uv.UV_CHECK());
        initialised(uv.uv_check_init(Memory.at(loop.address()), Memory.at(raw())), "check init");
    }

    /** Starts it; on a started one only the callback changes. Binds {@code uv_check_start}. Loop thread only. */
    public void start(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        UvException.check(uv.uv_check_start(Memory.at(open()), Memory.at(Upcalls.Watching.FIRE)), "check start");
        callback(callback);
    }

    /** Stops it. Binds {@code uv_check_stop}. Loop thread only. */
    public void stop() {
        UvException.check(uv.uv_check_stop(Memory.at(open())), "check stop");
    }
}
