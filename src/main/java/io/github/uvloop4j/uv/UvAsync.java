package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;

/** Wakes the loop from another thread. Binds {@code uv_async_t}. */
public final class UvAsync extends UvWatcher {
    /** A handle whose callback runs on the loop some time after {@link #send}. Binds {@code uv_async_init}. */
    public UvAsync(UvLoop loop, Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        super(loop, uv.UV_ASYNC());
        callback(callback);
        int status = uv.uv_async_init(Memory.at(loop.address()), Memory.at(raw()), Memory.at(Upcalls.Watching.FIRE));
        initialised(status, "async init");
    }

    /**
     * Makes the callback run at least once; calls may merge. Binds {@code uv_async_send}. Any thread, as long as the
     * caller knows that the handle is not being closed: its memory goes with it.
     */
    public void send() {
        long handle = raw();
        if (handle == 0 || isClosing()) {
            throw new IllegalStateException(this + " is closed");
        }
        UvException.check(HotCalls.asyncSend(handle), "async send");
    }
}
