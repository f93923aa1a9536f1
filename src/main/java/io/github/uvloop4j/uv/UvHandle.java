package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * What all handles share. Binds {@code uv_handle_t}.
 *
 * <p>Its loop keeps it until it is closed: dropping every reference to an active handle does not stop it. After
 * {@link #close} every other method throws. Loop thread only, unless a method says otherwise.
 */
public abstract sealed class UvHandle implements AutoCloseable permits UvStream, UvUdp, UvWatcher, UvPoll {
    final UvLoop loop;
    private final int id;
    private final int type;
    private long address;
    private boolean closing;
    private int pins;
    private long pinned;
    private @Nullable Runnable onClosed;

    UvHandle(UvLoop loop, int type) {
        loop.check();
        this.loop = loop;
        this.type = type;
        this.address = Memory.allocate(uv.uv_handle_size(type));
        this.id = loop.handles().claim(this);
        loop.handleCounts().add(type, 1);
    }

    /** Ends the constructor of a kind of handle: frees the memory when init failed, else writes the id. */
    final void initialised(int status, String operation) {
        if (status < 0) {
            release();
            onReleased();
            throw new UvException(status, operation);
        }
        Memory.putLong(address + Offsets.DATA, loop.data(id));
    }

    private void release() {
        loop.handles().release(id);
        loop.handleCounts().add(type, -1);
        if (pins == 0) {
            Memory.free(address);
        } else {
            pinned = address;
        }
        address = 0;
    }

    /** Keeps its memory until {@link #unpin}: libuv looks at it, even when it was closed. */
    final void pin() {
        pins++;
    }

    final void unpin() {
        if (--pins == 0 && pinned != 0) {
            Memory.free(pinned);
            pinned = 0;
        }
    }

    /** The handle's address; throws on a wrong thread and after close. */
    final long open() {
        if (closing) {
            throw new IllegalStateException(this + " is closed");
        }
        loop.check();
        return address;
    }

    /** The address inside a callback or on a path that has checked already. */
    final long raw() {
        return address;
    }

    /** Its loop. Any thread. */
    public final UvLoop loop() {
        return loop;
    }

    /** Closes it; its callbacks do not run any more. Binds {@code uv_close}. A second call does nothing. */
    @Override
    public final void close() {
        close(null);
    }

    /** Closes it and runs an action once its memory and descriptor are gone. */
    public final void close(@Nullable Runnable action) {
        if (closing) {
            return;
        }
        loop.check();
        closing = true;
        onClosed = action;
        if (!closesLater(this::closeNow)) {
            closeNow();
        }
    }

    private void closeNow() {
        uv.uv_close(Memory.at(address), Memory.at(Upcalls.Closing.CLOSED));
    }

    /** Whether libuv cannot bear the call that closes at this moment, and it is kept for the next one. */
    boolean closesLater(Runnable call) {
        return false;
    }

    /** The close callback: nothing of libuv's knows the memory any more. */
    final void closed() {
        release();
        onReleased();
        var action = onClosed;
        onClosed = null;
        if (action != null) {
            action.run();
        }
    }

    /** What a kind of handle lets go of when it is closed. */
    void onReleased() {}

    /** Marks as closing what closes in another way than {@link #close}. */
    final void closingBy(@Nullable Runnable action) {
        closing = true;
        onClosed = action;
    }

    /** Whether it is closing or closed. Binds {@code uv_is_closing}. */
    public final boolean isClosing() {
        return closing;
    }

    /** Whether it is started. Binds {@code uv_is_active}. */
    public final boolean isActive() {
        return !closing && uv.uv_is_active(Memory.at(open())) != 0;
    }

    /** Lets it keep the loop alive. Binds {@code uv_ref}. */
    public final void ref() {
        uv.uv_ref(Memory.at(open()));
    }

    /** Keeps it from keeping the loop alive. Binds {@code uv_unref}. */
    public final void unref() {
        uv.uv_unref(Memory.at(open()));
    }

    /** Whether it keeps the loop alive while active. Binds {@code uv_has_ref}. */
    public final boolean hasRef() {
        return uv.uv_has_ref(Memory.at(open())) != 0;
    }

    /** Its descriptor. Binds {@code uv_fileno}. */
    public final int fileno() {
        try (var arena = Arena.ofConfined()) {
            var fd = arena.allocate(ValueLayout.JAVA_INT);
            UvException.check(uv.uv_fileno(Memory.at(open()), fd), "fileno");
            return fd.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The size of the kernel's send buffer in bytes, twice of what was set. Binds {@code uv_send_buffer_size}. */
    public final int sendBufferSize() {
        return bufferSize(0, true);
    }

    /** Sets the size of the kernel's send buffer. Binds {@code uv_send_buffer_size}. */
    public final void sendBufferSize(int bytes) {
        bufferSize(positive(bytes), true);
    }

    /** The size of the kernel's receive buffer in bytes, twice of what was set. Binds {@code uv_recv_buffer_size}. */
    public final int receiveBufferSize() {
        return bufferSize(0, false);
    }

    /** Sets the size of the kernel's receive buffer. Binds {@code uv_recv_buffer_size}. */
    public final void receiveBufferSize(int bytes) {
        bufferSize(positive(bytes), false);
    }

    private static int positive(int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("buffer size must be positive: " + bytes);
        }
        return bytes;
    }

    private int bufferSize(int bytes, boolean send) {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocateFrom(ValueLayout.JAVA_INT, bytes);
            var handle = Memory.at(open());
            int status = send ? uv.uv_send_buffer_size(handle, value) : uv.uv_recv_buffer_size(handle, value);
            UvException.check(status, "buffer size");
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + '#' + id;
    }
}
