package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/**
 * What a thread of libuv's pool works on. A loop can be closed meanwhile: the callback comes with ECANCELED then, and a
 * thread of our own waits until libuv is done with the memory. Loop thread only.
 */
public abstract sealed class UvPoolRequest extends UvRequest permits UvFs, UvGetAddrInfo, UvGetNameInfo {
    UvPoolRequest(UvLoop loop, int type) {
        super(loop, type, 0);
    }

    /**
     * Takes the request back from the pool as long as no thread works on it. The callback comes in any case, with
     * ECANCELED if that was possible. Binds {@code uv_cancel}.
     *
     * @return false when it is too late: a thread works on it, or it is not pending
     */
    public final boolean cancel() {
        loop.check();
        if (!isPending()) {
            return false;
        }
        int status = uv.uv_cancel(Memory.at(raw()));
        if (status == UvErrno.EBUSY.code()) {
            return false;
        }
        UvException.check(status, "cancel " + this);
        return true;
    }

    /** libuv has two codes for a request that was cancelled. */
    static int unified(int status) {
        return status == UvErrno.EAI_CANCELED.code() ? UvErrno.ECANCELED.code() : status;
    }

    /** A text that C reads up to its end. */
    static String checkText(String what, String text) {
        if (text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("a " + what + " has no character of code 0");
        }
        return text;
    }
}
