package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Sends part of a file over TLS for callbacks: read in pieces, as the peer takes them. What is written meanwhile waits. */
final class TlsFileSend extends LoopFuture<Long> {
    private final LoopIo io;
    private final TlsWriting target;
    private final ByteQueue held = new ByteQueue();
    private final MemorySegment memory = Arena.ofAuto().allocate(TlsFiles.PIECE);
    private final long start;
    private long position;
    private long end;
    private @Nullable OpenFile file;
    private boolean waiting;
    private boolean over;

    TlsFileSend(LoopIo io, TlsWriting target, long position, long count) {
        super(io.context());
        this.io = io;
        this.target = target;
        this.start = position;
        this.position = position;
        this.end = position + Math.min(count, Long.MAX_VALUE - position);
    }

    TlsFileSend begin(Path path) {
        OpenFile.open(io, path).whenDone(this::opened);
        return this;
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
        if (over || from == null) {
            return;
        }
        if (position >= end) {
            end(null);
        } else if (target.isPaused()) {
            waiting = true;
        } else {
            var piece = memory.asSlice(0, Math.min(memory.byteSize(), end - position));
            from.read(piece, position).whenDone((count, error) -> read(piece, count, error));
        }
    }

    private void read(MemorySegment piece, @Nullable Integer count, @Nullable Throwable error) {
        if (over) {
            return;
        }
        if (count == null) {
            end(error);
        } else if (count == 0) {
            // It was cut off meanwhile.
            end(null);
        } else {
            position += count;
            target.writePiece(piece.asByteBuffer().limit(count));
            next();
        }
    }

    /** The transport takes more. */
    void resume() {
        if (waiting) {
            waiting = false;
            next();
        }
    }

    /** Keeps what is written meanwhile. */
    void hold(ByteBuffer data) {
        held.append(data);
    }

    int heldBytes() {
        return held.size();
    }

    /** The connection is over. */
    void abandon() {
        held.clear();
        end(new ClosedChannelException());
    }

    private void end(@Nullable Throwable error) {
        if (over) {
            return;
        }
        over = true;
        if (file != null) {
            file.close();
        }
        if (error == null) {
            complete(position - start);
        } else {
            completeExceptionally(error);
        }
        target.fileOver(held);
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
