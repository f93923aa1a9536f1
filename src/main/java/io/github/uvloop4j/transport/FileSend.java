package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPoll;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sends part of a file in the kernel, on a thread of libuv's pool that never waits for the peer. It works on a copy of the
 * socket's descriptor: the connection may end meanwhile, and its number be another's. What is written to the connection
 * meanwhile waits.
 */
final class FileSend extends LoopFuture<Long> implements Outgoing.Insertion {
    private static final long MOST_AT_ONCE = 1 << 20;

    private final LoopIo io;
    private final Outgoing outgoing;
    private final int socket;
    private final long start;
    private long position;
    private long end;
    private @Nullable OpenFile file;
    private @Nullable UvPoll poll;
    private boolean ourTurn;
    private boolean over;

    private FileSend(LoopIo io, Outgoing outgoing, int socket, long position, long end) {
        super(io.context());
        this.io = io;
        this.outgoing = outgoing;
        this.socket = socket;
        this.start = position;
        this.position = position;
        this.end = end;
    }

    /**
     * Opens the file, and sends it once what was written before has gone out.
     *
     * @param count how many bytes at most
     */
    static FileSend begin(LoopIo io, StreamBase stream, Path path, long position, long count) throws IOException {
        int copy = SocketCalls.control(stream.stream.fileno(), libc.F_DUPFD_CLOEXEC(), 0);
        if (copy < 0) {
            throw IoErrors.of(copy, "send a file");
        }
        long end = position + Math.min(count, Long.MAX_VALUE - position);
        var send = new FileSend(io, stream.outgoing, copy, position, end);
        try {
            stream.outgoing.insert(send);
        } catch (RuntimeException error) {
            SocketCalls.close(copy);
            throw error;
        }
        try {
            OpenFile.open(io, path).whenDone(send::opened);
        } catch (RuntimeException error) {
            send.end(error);
        }
        return send;
    }

    @Override
    public void begin() {
        ourTurn = true;
        next();
    }

    @Override
    public void discarded() {
        end(new ClosedChannelException());
    }

    static void check(long position, long count) {
        if (position < 0 || count < 0) {
            throw new IllegalArgumentException("negative position or count: " + Math.min(position, count));
        }
    }

    private void opened(@Nullable OpenFile found, @Nullable Throwable error) {
        if (over) {
            if (found != null) {
                found.close();
            }
        } else if (found == null) {
            end(error);
        } else {
            file = found;
            end = Math.min(end, found.size());
            next();
        }
    }

    private void next() {
        var from = file;
        if (from == null || !ourTurn || over) {
            return;
        }
        if (position >= end) {
            end(null);
            return;
        }
        try {
            from.send(socket, position, Math.min(end - position, MOST_AT_ONCE), this::sent);
        } catch (UvException e) {
            end(IoErrors.of(e));
        }
    }

    private void sent(int status) {
        if (over) {
            return;
        }
        if (status > 0) {
            position += status;
            outgoing.sentPast(status);
            next();
        } else if (status == 0) {
            // It was cut off meanwhile.
            end(null);
        } else if (IoErrors.isRetry(status)) {
            awaitRoom();
        } else {
            end(IoErrors.of(status, "send a file"));
        }
    }

    private void awaitRoom() {
        try {
            if (poll == null) {
                poll = new UvPoll(io.uv(), socket);
            }
            poll.start(UvPoll.WRITABLE, (status, events) -> {
                if (poll != null && !over) {
                    poll.stop();
                    next();
                }
            });
        } catch (UvException e) {
            end(IoErrors.of(e));
        }
    }

    /** Over: by itself, or with the connection. */
    private void end(@Nullable Throwable error) {
        if (over) {
            return;
        }
        over = true;
        if (poll != null) {
            poll.close();
        }
        var from = file;
        if (from == null) {
            SocketCalls.close(socket);
        } else {
            from.closeAfter(socket);
            from.close();
        }
        if (error == null) {
            complete(position - start);
        } else {
            completeExceptionally(error);
        }
        outgoing.over();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            Posting.run(io, () -> end(null));
        }
        return cancelled;
    }
}
