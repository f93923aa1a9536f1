package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPoll;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends part of a file in the kernel, by calls on another thread, since the disk may keep them; the peer does not, as the
 * socket never blocks. They work on a copy of the socket's descriptor: the connection may end meanwhile, and its number be
 * another's. libuv's own function is of no use here: it reads and writes in small pieces, and waits for the peer on a
 * thread of its pool.
 */
final class FileSend extends LoopFuture<Long> implements Outgoing.Insertion {
    private static final int MOST_AT_ONCE = 1 << 20;
    private static final ThreadFactory THREADS =
            Thread.ofVirtual().name("uvloop4j-sendfile-", 0).factory();

    private final LoopIo io;
    private final Outgoing outgoing;
    private final int socket;
    private final long start;
    private long position;
    private long end;
    private @Nullable OpenFile file;
    private @Nullable UvPoll poll;
    private boolean ourTurn;
    private boolean calling;
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
        int length = (int) Math.min(end - position, MOST_AT_ONCE);
        int descriptor = from.descriptor();
        long at = position;
        calling = true;
        try {
            THREADS.newThread(() -> call(descriptor, at, length)).start();
        } catch (OutOfMemoryError noThread) {
            calling = false;
            end(noThread);
        }
    }

    /** On another thread. */
    private void call(int descriptor, long at, int length) {
        int status = SocketCalls.sendFile(socket, descriptor, at, length);
        try {
            io.context().post(() -> sent(status));
        } catch (RejectedExecutionException closed) {
            // The loop is gone: nobody else knows them any more.
            SocketCalls.close(socket);
            SocketCalls.close(descriptor);
        }
    }

    private void sent(int status) {
        calling = false;
        if (status > 0) {
            position += status;
            outgoing.sentPast(status);
        }
        if (over) {
            release();
            return;
        }
        if (status > 0) {
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
        if (error == null) {
            complete(position - start);
        } else {
            completeExceptionally(error);
        }
        if (!calling) {
            release();
        }
    }

    /** Nothing is under way any more: what was written meanwhile may follow. */
    private void release() {
        if (poll != null) {
            poll.close();
        }
        SocketCalls.close(socket);
        if (file != null) {
            file.close();
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
