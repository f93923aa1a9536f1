package io.github.uvloop4j.uv;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is lent to libuv to read into. Between asking for it and telling what was read libuv cannot bear that
 * reading is stopped or the handle closed: that is kept until it tells. Loop thread only.
 */
final class Lending {
    /** Where libuv wants the memory's address and length; 0 when it does not ask. */
    private long where;

    private final Runnable stop;

    @SuppressWarnings("unused") // keeps what was lent from being collected while libuv reads into it
    private @Nullable MemorySegment lent;

    private boolean deferred;
    private @Nullable Runnable deferredClose;

    Lending(Runnable stop) {
        this.stop = stop;
    }

    /** libuv asks for memory, until {@link #asked()}. */
    void asks(long buffer) {
        where = buffer;
    }

    /** Whoever reads has been asked. */
    void asked() {
        long buffer = where;
        where = 0;
        if (deferred) {
            // Nothing is read then, so that nothing is lost; libuv answers with ENOBUFS.
            Memory.putLong(buffer + 8, 0);
        }
    }

    void lend(MemorySegment memory, long offset, long length) {
        if (where == 0) {
            throw new IllegalStateException("memory is lent when it is asked for only");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("cannot be read into: " + memory);
        }
        Memory.putLong(where, Memory.addressOf(memory, offset, length));
        lent = memory;
        Memory.putLong(where + 8, Math.min(length, Integer.MAX_VALUE));
    }

    /** Whether reading goes on since a stop was only kept: it is forgotten. */
    boolean forgetsStop() {
        boolean was = deferred;
        deferred = false;
        return was;
    }

    /** Whether a stop must wait, and is kept. */
    boolean keepsStop() {
        deferred |= where != 0;
        return where != 0;
    }

    /** Whether a close must wait, and is kept. */
    boolean keepsClose(Runnable close) {
        if (where == 0) {
            return false;
        }
        deferred = true;
        deferredClose = close;
        return true;
    }

    /** libuv tells: whether a stop or close was kept, which is done now. */
    boolean doesWhatWasKept() {
        if (!deferred) {
            return false;
        }
        deferred = false;
        var close = deferredClose;
        deferredClose = null;
        if (close != null) {
            close.run();
        } else {
            stop.run();
        }
        return true;
    }

    void release() {
        lent = null;
    }
}
