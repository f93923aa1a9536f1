package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.uv.UvPoll;
import org.jspecify.annotations.Nullable;

/**
 * The one watcher of a descriptor: who reads and who writes share it. It stays armed between operations, since arming
 * costs system calls; an event that nobody waits for is remembered, and disarms.
 */
final class PolledFd implements Created {
    private static final int IN = UvPoll.READABLE | UvPoll.DISCONNECT;

    private final LoopIo io;
    private final int fd;
    private final UvPoll poll;
    private final @Nullable Throwable creation;
    private int armed;
    private @Nullable Runnable reader;
    private @Nullable Runnable writer;
    private boolean readable = true;

    PolledFd(LoopIo io, int fd) {
        this.io = io;
        this.fd = fd;
        this.poll = new UvPoll(io.uv(), fd);
        this.creation = io.context().creation("watcher");
    }

    boolean hasReader() {
        return reader != null;
    }

    boolean hasWriter() {
        return writer != null;
    }

    boolean isUnused() {
        return reader == null && writer == null;
    }

    /** Whether trying to read may succeed: false after a read that emptied the socket, until the next event. */
    boolean mayRead() {
        return readable;
    }

    void drained() {
        readable = false;
    }

    void reader(@Nullable Runnable action) {
        reader = action;
        if (action != null) {
            readable = false;
            arm(armed | IN);
        }
    }

    void writer(@Nullable Runnable action) {
        writer = action;
        if (action != null) {
            arm(armed | UvPoll.WRITABLE);
        } else if ((armed & UvPoll.WRITABLE) != 0) {
            // A socket is nearly always writable: staying armed would wake the loop in every turn.
            arm(armed & ~UvPoll.WRITABLE);
        }
    }

    /** Takes reading out of the kernel's set at once. */
    void disarmReading() {
        arm(armed & ~IN);
    }

    private void arm(int events) {
        if (events == armed || poll.isClosing()) {
            return;
        }
        armed = events;
        if (events == 0) {
            poll.stop();
        } else {
            poll.start(events, this::ready);
        }
    }

    private void ready(int status, int events) {
        boolean failed = status < 0;
        if (failed && !io.rawSockets().isSocket(fd) && SocketCalls.control(fd, libc.F_GETFD(), 0) < 0) {
            io.rawSockets().forget(fd);
            io.context()
                    .report(
                            "a descriptor was closed while it was watched",
                            new IllegalStateException(
                                    "remove the readers and writers of descriptor " + fd + " before closing it"),
                            null);
            return;
        }
        if (failed) {
            // libuv has stopped the handle; the system call that both sides now make tells the error.
            armed = 0;
        }
        // The writer first: whoever asks first gets the socket's error, and one that connects must not miss it.
        if (failed || (events & UvPoll.WRITABLE) != 0) {
            wake(writer, UvPoll.WRITABLE);
        }
        if (failed || (events & IN) != 0) {
            readable = true;
            wake(reader, IN);
        }
        if (failed) {
            arm((reader == null ? 0 : IN) | (writer == null ? 0 : UvPoll.WRITABLE) | armed);
        }
    }

    private void wake(@Nullable Runnable action, int events) {
        if (poll.isClosing()) {
            return;
        }
        if (action == null) {
            arm(armed & ~events);
            return;
        }
        try {
            action.run();
        } catch (Throwable error) {
            io.context().report("a reader or writer callback failed", error, action);
        }
    }

    @Override
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public String toString() {
        return "the watcher of descriptor " + fd;
    }

    void close() {
        reader = null;
        writer = null;
        poll.close();
    }
}
