package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.pollfd;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPoll;
import java.lang.foreign.Arena;

/**
 * Notices that nobody reads what is written any more, also while nothing is: libuv looks at a stream only while it reads
 * or has something to write. A descriptor has one watcher in libuv, so this one has its own number for it.
 */
final class HangUp {
    /** Above those of standard input and output, which libuv does not close. */
    private static final int LEAST = 3;

    private final int fd;
    private final UvPoll poll;
    private final Runnable action;

    /** Begins to watch; throws UvException when there is no descriptor left. */
    HangUp(LoopIo io, int stream, Runnable action) {
        int status = SocketCalls.control(stream, libc.F_DUPFD_CLOEXEC(), LEAST);
        if (status < 0) {
            throw new UvException(status, "watch descriptor " + stream);
        }
        this.fd = status;
        this.action = action;
        try {
            this.poll = new UvPoll(io.uv(), fd);
        } catch (RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        // Errors and hang-ups come whatever is asked for; disconnects would also be those that end one direction only.
        poll.start(UvPoll.PRIORITIZED, this::ready);
    }

    private void ready(int status, int events) {
        if (isOver()) {
            action.run();
        } else {
            // Urgent data would be told again and again. Writing tells what this would have.
            poll.stop();
        }
    }

    private boolean isOver() {
        try (var arena = Arena.ofConfined()) {
            var look = pollfd.allocate(arena);
            pollfd.fd(look, fd);
            return libc.poll(look, 1, 0) == 1 && (pollfd.revents(look) & (libc.POLLERR() | libc.POLLHUP())) != 0;
        }
    }

    void close() {
        if (!poll.isClosing()) {
            poll.close();
            SocketCalls.close(fd);
        }
    }
}
