package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.uv;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watches a descriptor that others own. Binds {@code uv_poll_t}. The descriptor must stay open until the handle is
 * stopped or closed, and only one handle may watch it.
 */
public final class UvPoll extends UvHandle {
    /** Data can be read, or a connection accepted. */
    public static final int READABLE = uv.UV_READABLE();

    /** Data can be written. */
    public static final int WRITABLE = uv.UV_WRITABLE();

    /** The peer has closed its side. */
    public static final int DISCONNECT = uv.UV_DISCONNECT();

    /** Urgent data is there. */
    public static final int PRIORITIZED = uv.UV_PRIORITIZED();

    private static final int ALL = READABLE | WRITABLE | DISCONNECT | PRIORITIZED;

    /** What a poll reports to. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A negative status says that the handle has stopped: the system call will tell the error, or the descriptor
         * was closed. Loop thread.
         */
        void ready(int status, int events);
    }

    private final int fd;
    private @Nullable Listener listener;
    private boolean unchecked;
    private UvEvent kind = UvEvent.POLL;

    /** A watcher of a descriptor, which is set non-blocking. Binds {@code uv_poll_init}. */
    public UvPoll(UvLoop loop, int fd) {
        super(loop, uv.UV_POLL());
        this.fd = fd;
        initialised(uv.uv_poll_init(Memory.at(loop.address()), Memory.at(raw()), fd), "poll init " + fd);
    }

    /** Whether a descriptor can be watched: regular files, directories and some devices cannot. Any thread. */
    public static boolean canWatch(int fd) {
        return Pollable.isPollable(fd);
    }

    /** Has its events count as those of another kind, in what is measured. */
    public UvPoll countAs(UvEvent value) {
        kind = Objects.requireNonNull(value, "kind");
        return this;
    }

    UvEvent kind() {
        return kind;
    }

    /** Watches for events, in place of those before. Binds {@code uv_poll_start}. Loop thread only. */
    public void start(int events, Listener callback) {
        Objects.requireNonNull(callback, "callback");
        if ((events & ~ALL) != 0) {
            // libuv asserts it, and ends the process.
            throw new IllegalArgumentException("unknown events: " + (events & ~ALL));
        }
        int status = uv.uv_poll_start(Memory.at(open()), events, Memory.at(Upcalls.Polling.READY));
        UvException.check(status, "poll start");
        listener = callback;
        if (!unchecked) {
            unchecked = true;
            loop.pollStarted(this);
        }
    }

    /** Stops when the descriptor was closed since the start, and tells. */
    void checkDescriptor() {
        unchecked = false;
        if (isActive() && libc.dup2(fd, fd) != fd) {
            stop();
            try {
                ready(UvErrno.EBADF.code(), 0);
            } catch (Throwable t) {
                loop.callbackFailed(t);
            }
        }
    }

    /** Stops watching. Binds {@code uv_poll_stop}. Loop thread only. */
    public void stop() {
        UvException.check(uv.uv_poll_stop(Memory.at(open())), "poll stop");
    }

    void ready(int status, int events) {
        var callback = listener;
        if (callback != null && !isClosing()) {
            callback.ready(status, events);
        }
    }

    @Override
    void onReleased() {
        listener = null;
    }
}
