package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvEvent;
import io.github.uvloop4j.uv.UvPoll;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket. Connections are accepted here, not by libuv: when descriptors run out that drops clients without a
 * word, or polls without end. Here it is told once a minute, and tried again after a while. Loop thread only.
 */
final class ListenSocket {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    /** What a listening socket tells. */
    interface Incoming {
        /** Connections wait, or have gone again: accept some. */
        void connectionsWait(ListenSocket socket);
    }

    private final LoopIo io;
    private final int fd;
    private final SocketAddress address;
    private final @Nullable SocketFile file;
    private final UvPoll poll;
    private @Nullable Incoming incoming;
    private boolean armed;
    private @Nullable TimerHandle pause;
    private long pauseNanos = FIRST_PAUSE;
    private long toldAt;
    private boolean told;
    private boolean closed;

    /** Takes a bound socket over; the descriptor is closed with it, or now when that fails, and its file removed. */
    ListenSocket(LoopIo io, int fd, SocketAddress address, @Nullable SocketFile file) {
        this.io = io;
        this.fd = fd;
        this.address = address;
        this.file = file;
        try {
            this.poll = new UvPoll(io.uv(), fd).countAs(UvEvent.CONNECTION);
        } catch (RuntimeException error) {
            closeDescriptor();
            throw error;
        }
    }

    private void closeDescriptor() {
        if (file != null) {
            file.removeIfSame();
        }
        SocketCalls.close(fd);
    }

    int fd() {
        return fd;
    }

    SocketAddress address() {
        return address;
    }

    boolean isUnix() {
        return SocketNames.isUnix(address);
    }

    /** Begins to listen, and to tell of connections. */
    void listen(int backlog, Incoming to) throws IOException {
        int status = SocketCalls.listen(fd, backlog);
        if (status < 0) {
            throw IoErrors.of(status, "listen on " + SocketAddresses.text(address));
        }
        incoming = to;
        arm();
    }

    /** Tells of connections from now on; harmless when it does. */
    void arm() {
        if (!armed && !closed && pause == null) {
            armed = true;
            poll.start(UvPoll.READABLE, (status, events) -> ready(status));
        }
    }

    /** Tells of none until armed again: the kernel keeps them in its backlog. */
    void disarm() {
        if (armed && !closed) {
            armed = false;
            poll.stop();
        }
    }

    private void ready(int status) {
        var to = incoming;
        if (status < 0) {
            failed(status);
        } else if (to != null) {
            to.connectionsWait(this);
        }
    }

    /** Accepts a connection: its descriptor, or -1 when none can be had now. */
    int accept() {
        if (closed || pause != null) {
            return -1;
        }
        int flags = libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int accepted;
        do {
            accepted = SocketCalls.accept(fd, MemorySegment.NULL, MemorySegment.NULL, flags);
        } while (accepted == UvErrno.ECONNABORTED.code() || accepted == UvErrno.EINTR.code());
        if (accepted >= 0) {
            pauseNanos = FIRST_PAUSE;
            return accepted;
        }
        if (!IoErrors.isRetry(accepted)) {
            failed(accepted);
        }
        return -1;
    }

    private void failed(int status) {
        rest();
        try {
            tell(status);
        } catch (LinkageError unloaded) {
            // Without a descriptor not even a class can be loaded: it is told next time.
            told = false;
        }
    }

    private void tell(int status) {
        long now = System.nanoTime();
        if (!told || now - toldAt >= QUIET) {
            told = true;
            toldAt = now;
            io.context().report("accepting failed, and is tried again", IoErrors.of(status, "accept"), this);
        }
    }

    /** Leaves clients waiting in the backlog: others may end meanwhile, and their descriptors be had. */
    private void rest() {
        disarm();
        if (closed) {
            return;
        }
        long length = pauseNanos;
        pauseNanos = Math.min(2 * length, LONGEST_PAUSE);
        pause = io.context().at(Durations.deadline(length), () -> {
            pause = null;
            arm();
        });
    }

    void close() {
        if (closed) {
            return;
        }
        disarm();
        closed = true;
        if (pause != null) {
            pause.cancel();
        }
        poll.close();
        closeDescriptor();
    }

    @Override
    public String toString() {
        return "listening socket " + address;
    }
}
