package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.transport.Chunks.Chunk;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvWrite;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a stream. What the kernel takes is written at once from the caller's memory; the rest is copied,
 * and goes out at the end of the turn in one gathered request, of which there is one at a time.
 */
final class Outgoing extends Flush {
    /** Whose side it is. */
    interface Owner {
        /** Writing failed; what was queued is gone. */
        void writeFailed(int status);

        /** More than the high-water mark waits. */
        void pause();

        /** At most the low-water mark waits again. */
        void resume();

        /** Nothing waits any more. */
        void drained();
    }

    private final LoopIo io;
    private final UvStream stream;
    private final Owner owner;
    private final BufferSegments segments = new BufferSegments();
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>(0);
    private final ArrayDeque<Chunk> sending = new ArrayDeque<>(0);
    private long queuedBytes;
    private long sentBytes;
    private @Nullable UvWrite request;
    private WriteLimits limits;
    private boolean paused;
    private boolean dirty;

    /** Something else that writes to the socket: it begins when what was written before is gone. */
    private @Nullable Insertion inserted;

    private boolean insertedBegan;

    /** What was written after that. */
    private final ArrayDeque<Chunk> after = new ArrayDeque<>(0);

    private long afterBytes;
    private boolean discarded;

    Outgoing(LoopIo io, UvStream stream, Owner owner, WriteLimits limits) {
        this.io = io;
        this.stream = stream;
        this.owner = owner;
        this.limits = limits;
    }

    boolean isIdle() {
        return request == null && queuedBytes == 0 && inserted == null;
    }

    /** Bytes that wait here or in libuv. */
    long size() {
        long waiting = queuedBytes + afterBytes;
        return request == null ? waiting : waiting + stream.writeQueueSize();
    }

    /** Bytes that the kernel has taken. */
    long sentBytes() {
        return sentBytes;
    }

    private void took(long bytes) {
        sentBytes += bytes;
        io.counts().sent(bytes);
    }

    boolean isPaused() {
        return paused;
    }

    WriteLimits limits() {
        return limits;
    }

    void limits(WriteLimits value) {
        limits = value;
        marks();
    }

    /** Writes or queues the rest of a buffer, whose position moves to its limit. */
    void write(ByteBuffer source) {
        if (discarded) {
            source.position(source.limit());
            return;
        }
        if (isIdle()) {
            int status = source.isDirect() ? writeDirect(source) : writeHeap(source);
            if (status < 0) {
                source.position(source.limit());
                owner.writeFailed(status);
                return;
            }
        }
        if (source.hasRemaining()) {
            append(source);
            marks();
        }
    }

    private int writeDirect(ByteBuffer source) {
        int position = source.position();
        var segment = io.isView(source) ? io.receive() : segments.of(source);
        int count = stream.tryWrite(segment, position, source.remaining());
        if (count > 0) {
            source.position(position + count);
            took(count);
        }
        return IoErrors.isRetry(count) ? 0 : count;
    }

    private int writeHeap(ByteBuffer source) {
        while (source.hasRemaining()) {
            var chunk = io.chunks().take();
            chunk.fill(source);
            int count = stream.tryWrite(chunk.memory, 0, chunk.end);
            if (count > 0) {
                took(count);
            }
            if (count == chunk.end) {
                io.chunks().give(chunk);
                continue;
            }
            if (count < 0 && !IoErrors.isRetry(count)) {
                io.chunks().give(chunk);
                return count;
            }
            chunk.start = Math.max(count, 0);
            queue.addLast(chunk);
            queuedBytes += chunk.size();
            markDirty();
            if (!source.hasRemaining()) {
                marks();
            }
            return 0;
        }
        return 0;
    }

    /** Writes several buffers in order. */
    void writeAll(List<ByteBuffer> sources) {
        if (!isIdle() || sources.size() == 1) {
            sources.forEach(this::write);
            return;
        }
        for (var source : sources) {
            append(source);
        }
        if (queuedBytes > 0) {
            tryGathered();
            marks();
        }
    }

    private void tryGathered() {
        var gathered = io.requests().take();
        for (var chunk : queue) {
            if (!gathered.isFull()) {
                gathered.add(chunk.memory, chunk.start, chunk.size());
            }
        }
        int count = stream.tryWrite(gathered);
        io.requests().give(gathered);
        if (count < 0 && !IoErrors.isRetry(count)) {
            owner.writeFailed(count);
            return;
        }
        took(Math.max(count, 0));
        for (int left = Math.max(count, 0); left > 0; ) {
            var chunk = queue.getFirst();
            int sent = Math.min(left, chunk.size());
            chunk.start += sent;
            left -= sent;
            queuedBytes -= sent;
            if (chunk.size() == 0) {
                io.chunks().give(queue.removeFirst());
            }
        }
    }

    private void append(ByteBuffer source) {
        var end = inserted == null ? queue : after;
        var last = end.peekLast();
        while (source.hasRemaining()) {
            if (last == null || last.room() == 0) {
                // When memory is short this throws: what was queued counts, and the rest stays in the source.
                last = io.chunks().take();
                end.addLast(last);
            }
            int count = last.fill(source);
            if (end == queue) {
                queuedBytes += count;
                markDirty();
            } else {
                afterBytes += count;
            }
        }
    }

    private void markDirty() {
        if (!dirty && request == null && queuedBytes > 0) {
            dirty = true;
            io.markDirty(this);
        }
    }

    /** Hands what is queued to libuv, unless it is at work already. */
    @Override
    void flushNow() {
        dirty = false;
        if (!discarded && request == null && queuedBytes > 0) {
            send();
        }
    }

    /** Who writes to the socket past the queue. */
    interface Insertion {
        /** It is its turn: what was written before has gone out. What is written from now on waits for {@link #over}. */
        void begin();

        /** The connection has ended. */
        void discarded();
    }

    /** Takes an insertion's turn, which comes at once or later. One at a time. */
    void insert(Insertion insertion) {
        if (inserted != null) {
            throw new IllegalStateException("a file is being sent already");
        }
        inserted = insertion;
        insertedBegan = false;
        beginInserted();
    }

    private void beginInserted() {
        var next = inserted;
        if (next != null && !insertedBegan && request == null && queuedBytes == 0) {
            insertedBegan = true;
            next.begin();
        }
    }

    /** The insertion is over, also before its turn. */
    void over() {
        inserted = null;
        if (discarded) {
            return;
        }
        queue.addAll(after);
        after.clear();
        queuedBytes += afterBytes;
        afterBytes = 0;
        if (queuedBytes > 0) {
            markDirty();
        } else if (isIdle()) {
            owner.drained();
        }
    }

    /** So many bytes went out past the queue. */
    void sentPast(long bytes) {
        took(bytes);
    }

    private void send() {
        var next = io.requests().take();
        while (!queue.isEmpty() && !next.isFull()) {
            var chunk = queue.removeFirst();
            if (chunk.size() == 0) {
                io.chunks().give(chunk);
                continue;
            }
            queuedBytes -= chunk.size();
            next.add(chunk.memory, chunk.start, chunk.size());
            sending.addLast(chunk);
        }
        request = next;
        try {
            stream.write(next, this::sent);
        } catch (UvException e) {
            finishRequest(next, false);
            owner.writeFailed(e.errno().code());
        }
    }

    private void finishRequest(UvWrite done, boolean written) {
        request = null;
        io.requests().give(done);
        for (var chunk = sending.pollFirst(); chunk != null; chunk = sending.pollFirst()) {
            if (written) {
                took(chunk.size());
            }
            io.chunks().give(chunk);
        }
    }

    private void sent(int status) {
        var done = request;
        if (done != null) {
            finishRequest(done, status >= 0);
        }
        if (discarded) {
            return;
        }
        if (status < 0) {
            owner.writeFailed(status);
            return;
        }
        if (queuedBytes > 0) {
            send();
        }
        marks();
        beginInserted();
        if (!discarded && isIdle()) {
            owner.drained();
        }
    }

    private void marks() {
        if (discarded) {
            return;
        }
        long size = size();
        if (!paused && size > limits.high()) {
            paused = true;
            io.counts().paused();
            owner.pause();
        } else if (paused && size <= limits.low()) {
            paused = false;
            owner.resume();
        }
    }

    /** Drops what is queued; what libuv is at work on is given back in its callback. */
    void discard() {
        discarded = true;
        queuedBytes = 0;
        afterBytes = 0;
        giveBack(queue);
        giveBack(after);
        segments.clear();
        if (inserted != null) {
            inserted.discarded();
        }
    }

    private void giveBack(ArrayDeque<Chunk> chunks) {
        for (var chunk = chunks.pollFirst(); chunk != null; chunk = chunks.pollFirst()) {
            io.chunks().give(chunk);
        }
    }
}
