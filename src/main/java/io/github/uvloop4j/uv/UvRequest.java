package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What all requests share: memory that libuv works on until the callback. A request may be used again once its callback
 * has come. Binds {@code uv_req_t}. Loop thread only.
 */
public abstract sealed class UvRequest permits UvConnect, UvPoolRequest, UvShutdown, UvUdpSend, UvWrite {
    final UvLoop loop;
    private final int id;
    private long address;
    private @Nullable IntConsumer callback;
    private boolean freeWhenDone;
    private boolean left;

    UvRequest(UvLoop loop, int type, long extra) {
        loop.check();
        this.loop = loop;
        this.address = Memory.allocate(uv.uv_req_size(type) + extra);
        this.id = loop.requests().claim(this);
        Memory.putLong(address + Offsets.DATA, loop.data(id));
    }

    /** The address for a call that starts the request. */
    final long begin(IntConsumer done, UvLoop of) {
        loop.check();
        if (loop != of) {
            throw new IllegalArgumentException(this + " belongs to another loop");
        }
        if (callback != null) {
            throw new IllegalStateException(this + " is still pending");
        }
        checkNotFreed();
        callback = Objects.requireNonNull(done, "callback");
        return address;
    }

    /** Ends a call that started the request: after an error the callback never comes. */
    final void begun(int status, String operation) {
        if (status < 0) {
            callback = null;
            throw new UvException(status, operation);
        }
    }

    final void checkNotFreed() {
        if (address == 0 || left) {
            throw new IllegalStateException(this + " was freed");
        }
    }

    final long raw() {
        return address;
    }

    final void complete(int status) {
        var done = callback;
        callback = null;
        if (freeWhenDone && !left) {
            release();
        }
        if (done != null) {
            done.accept(status);
        }
    }

    /** Whether libuv works on it. */
    public final boolean isPending() {
        return callback != null;
    }

    /** Whether libuv works on it, and be it for nobody any more. */
    final boolean isBusy() {
        return callback != null || left && address != 0;
    }

    /** Gives its memory back, now or once libuv is done with it. */
    public final void free() {
        if (address == 0 || left) {
            return;
        }
        loop.check();
        if (callback != null) {
            freeWhenDone = true;
        } else {
            release();
        }
    }

    /** Tells whoever waits that it was cancelled, while libuv still works on it: the memory is the loop's from now on. */
    final void leave() {
        var done = callback;
        callback = null;
        left = true;
        if (done != null) {
            done.accept(UvErrno.ECANCELED.code());
        }
    }

    /** Frees it without questions: libuv does not know it any more. */
    final void release() {
        loop.requests().release(id);
        Memory.free(address);
        address = 0;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + '#' + id;
    }
}
