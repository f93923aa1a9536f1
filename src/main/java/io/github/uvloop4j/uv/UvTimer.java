package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;

/** Runs a callback after a time, once or again and again. Binds {@code uv_timer_t}. */
public final class UvTimer extends UvWatcher {
    /** A timer that is not started. Binds {@code uv_timer_init}. */
    public UvTimer(UvLoop loop) {
        super(loop, uv.UV_TIMER());
        initialised(uv.uv_timer_init(Memory.at(loop.address()), Memory.at(raw())), "timer init");
    }

    /**
     * Starts it, again if it was started. The time counts from the loop's cached {@link UvLoop#now()}. Binds
     * {@code uv_timer_start}. Loop thread only.
     *
     * @param timeoutMillis until the first call, 0 or more
     * @param repeatMillis between calls after that; 0 for one call
     */
    public void start(Runnable callback, long timeoutMillis, long repeatMillis) {
        Objects.requireNonNull(callback, "callback");
        if (timeoutMillis < 0 || repeatMillis < 0) {
            throw new IllegalArgumentException("negative time: " + timeoutMillis + ", " + repeatMillis);
        }
        int status = HotCalls.timerStart(open(), Upcalls.Watching.FIRE, timeoutMillis, repeatMillis);
        UvException.check(status, "timer start");
        callback(callback);
    }

    /** Stops it. Binds {@code uv_timer_stop}. Loop thread only. */
    public void stop() {
        UvException.check(HotCalls.timerStop(open()), "timer stop");
    }

    /** Restarts a repeating timer with its repeat time. Binds {@code uv_timer_again}. Loop thread only. */
    public void again() {
        UvException.check(uv.uv_timer_again(Memory.at(open())), "timer again");
    }

    /** Sets the repeat time in ms, from the next expiry on. Binds {@code uv_timer_set_repeat}. Loop thread only. */
    public void repeat(long millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("negative time: " + millis);
        }
        uv.uv_timer_set_repeat(Memory.at(open()), millis);
    }

    /** The repeat time in ms. Binds {@code uv_timer_get_repeat}. Loop thread only. */
    public long repeat() {
        return uv.uv_timer_get_repeat(Memory.at(open()));
    }

    /** The time until it expires in ms, 0 when it has. Binds {@code uv_timer_get_due_in}. Loop thread only. */
    public long dueIn() {
        return uv.uv_timer_get_due_in(Memory.at(open()));
    }
}
