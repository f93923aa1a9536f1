package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.UvErrno;
import org.jspecify.annotations.Nullable;

/** Which way bytes go: both, or one, where a stream is an end of a pipe. */
final class Way {
    /** Of a socket. */
    static final Way BOTH = new Way(-1, true, true, false);

    final boolean reads;
    final boolean writes;
    private final int fd;
    private final boolean terminal;
    private @Nullable HangUp hangUp;

    private Way(int fd, boolean reads, boolean writes, boolean terminal) {
        this.fd = fd;
        this.reads = reads;
        this.writes = writes;
        this.terminal = terminal;
    }

    /** Of an end of a pipe. */
    static Way one(FdPipe pipe, boolean reads) {
        return new Way(pipe.fd(), reads, !reads, pipe.isTerminal());
    }

    /** Has an action run once when nobody reads any more; throws UvException when there is no descriptor left. */
    void watch(LoopIo io, Runnable action) {
        if (!reads) {
            hangUp = new HangUp(io, fd, action);
        }
    }

    void checkReads() {
        if (!reads) {
            throw new UnsupportedOperationException("pipe " + fd + " was taken over to write only");
        }
    }

    void checkWrites() {
        if (!writes) {
            throw new UnsupportedOperationException("pipe " + fd + " was taken over to read only");
        }
    }

    /** Whether the peer has ended its side. That the other end of a terminal is gone is an error to its reader. */
    boolean isEnd(int status) {
        return status == UvErrno.EOF.code() || terminal && status == UvErrno.EIO.code();
    }

    /** Who is at the other end, for people. */
    String peer(StreamNames names) {
        return this == BOTH ? names.peerText() : "pipe " + fd;
    }

    void close() {
        var watcher = hangUp;
        hangUp = null;
        if (watcher != null) {
            watcher.close();
        }
    }
}
