package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.transport.Chunks.Chunk;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvFeature;
import io.github.uvloop4j.uv.UvUdp;
import io.github.uvloop4j.uv.UvUdpBatch;
import io.github.uvloop4j.uv.UvUdpSend;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a socket of datagrams. What the kernel takes is sent at once from the caller's memory; the rest is
 * copied and left to libuv, in order. In a batch everything is copied, and sent at the end of the turn.
 */
final class DatagramOutgoing extends Flush {
    private static final int BATCH = 64;
    private static final int KEEP = 64;

    /** Whose side it is. */
    interface Owner {
        /** A datagram could not be sent, and is gone. */
        void sendFailed(int status);

        /** More than the high-water mark waits. */
        void pause();

        /** At most the low-water mark waits again. */
        void resume();

        /** Nothing waits any more. */
        void drained();
    }

    /** A datagram that waits. */
    private record Waiting(
            Chunk chunk, int offset, int length, @Nullable SocketAddress target) {}

    private final LoopIo io;
    private final UvUdp socket;
    private final Owner owner;
    private final boolean batching;
    private final BufferSegments segments = new BufferSegments();

    /** Those of this turn, in a batch. */
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(0);

    private final ArrayDeque<UvUdpSend> requests = new ArrayDeque<>(0);
    private @Nullable UvUdpBatch batch;
    private @Nullable Chunk filling;
    private WriteLimits limits;
    private long waitingBytes;
    private int waiting;
    private boolean paused;
    private boolean dirty;
    private boolean discarded;

    DatagramOutgoing(LoopIo io, UvUdp socket, Owner owner, boolean batching, WriteLimits limits) {
        this.io = io;
        this.socket = socket;
        this.owner = owner;
        this.batching = batching;
        this.limits = limits;
    }

    boolean isIdle() {
        return waiting == 0;
    }

    boolean isPaused() {
        return paused;
    }

    long size() {
        return waitingBytes;
    }

    void limits(WriteLimits value) {
        limits = value;
        marks();
    }

    /** Sends or queues the rest of a buffer, whose position moves to its limit. Returns 0 or why it was refused. */
    int send(ByteBuffer data, @Nullable SocketAddress target) {
        int status = 0;
        if (!discarded) {
            if (data.remaining() > DatagramMemory.LARGEST) {
                status = UvErrno.EMSGSIZE.code();
            } else if (batching || waiting > 0) {
                enqueue(copy(data, target));
            } else {
                status = sendNow(data, target);
            }
        }
        data.position(data.limit());
        return status;
    }

    private int sendNow(ByteBuffer data, @Nullable SocketAddress target) {
        int status;
        if (data.isDirect()) {
            var view = io.datagrams().behind(data);
            var memory = view == null ? segments.of(data) : view;
            status = socket.trySend(memory, data.position(), data.remaining(), target);
        } else {
            var chunk = io.chunks().take();
            int start = data.position();
            try {
                status = socket.trySend(chunk.memory, 0, chunk.fill(data), target);
            } finally {
                data.position(start);
                io.chunks().give(chunk);
            }
        }
        if (IoErrors.isRetry(status)) {
            enqueue(copy(data, target));
            return 0;
        }
        return Math.min(status, 0);
    }

    private Waiting copy(ByteBuffer data, @Nullable SocketAddress target) {
        var chunk = filling;
        int length = data.remaining();
        if (chunk == null || chunk.room() < length) {
            if (chunk != null && chunk.users == 0) {
                io.chunks().give(chunk);
            }
            chunk = io.chunks().take();
            filling = chunk;
        }
        int offset = chunk.end;
        chunk.fill(data);
        chunk.users++;
        return new Waiting(chunk, offset, length, target);
    }

    private void enqueue(Waiting datagram) {
        waiting++;
        waitingBytes += datagram.length;
        if (batching) {
            queue.addLast(datagram);
            if (!dirty) {
                dirty = true;
                io.markDirty(this);
            }
        } else {
            leaveToLibuv(datagram);
        }
        marks();
    }

    private void over(Waiting datagram) {
        waiting--;
        waitingBytes -= datagram.length;
        var chunk = datagram.chunk;
        if (--chunk.users == 0 && chunk != filling) {
            io.chunks().give(chunk);
        }
    }

    private void leaveToLibuv(Waiting datagram) {
        var known = requests.pollFirst();
        var request = known == null ? new UvUdpSend(io.uv()) : known;
        try {
            socket.send(
                    request,
                    datagram.chunk.memory,
                    datagram.offset,
                    datagram.length,
                    datagram.target,
                    status -> sent(request, datagram, status));
        } catch (UvException e) {
            sent(request, datagram, e.errno().code());
        }
    }

    private void sent(UvUdpSend request, Waiting datagram, int status) {
        over(datagram);
        if (requests.size() < KEEP && !discarded) {
            requests.addLast(request);
        } else {
            request.free();
        }
        if (discarded) {
            freeIfIdle();
            return;
        }
        if (status < 0) {
            owner.sendFailed(status);
        }
        settle();
    }

    @Override
    void flushNow() {
        dirty = false;
        if (discarded) {
            return;
        }
        // What is queued meanwhile, by whoever is told of an error, waits for the next flush.
        int most = queue.size();
        if (UvFeature.UDP_TRY_SEND2.isAvailable()) {
            most = sendBatches(most);
        }
        for (int i = 0; i < most && !discarded; i++) {
            leaveToLibuv(queue.removeFirst());
        }
        settle();
    }

    /** Returns how many of so many are left. */
    private int sendBatches(int most) {
        int left = most;
        while (left > 0 && !discarded) {
            var filled = fill(left);
            int count = socket.trySend(filled);
            filled.clear();
            if (IoErrors.isRetry(count)) {
                return left;
            }
            left -= Math.max(count, 1);
            for (int i = 0; i < count; i++) {
                over(queue.removeFirst());
            }
            if (count < 0) {
                over(queue.removeFirst());
                owner.sendFailed(count);
            }
        }
        return left;
    }

    private UvUdpBatch fill(int most) {
        var known = batch;
        if (known == null) {
            known = new UvUdpBatch(io.uv(), BATCH);
            batch = known;
        }
        for (var next : queue) {
            if (known.isFull() || known.count() == most) {
                break;
            }
            known.add(next.chunk.memory, next.offset, next.length, next.target);
        }
        return known;
    }

    private void settle() {
        marks();
        if (waiting == 0 && !discarded) {
            owner.drained();
        }
    }

    private void marks() {
        if (discarded) {
            return;
        }
        if (!paused && waitingBytes > limits.high()) {
            paused = true;
            io.counts().paused();
            owner.pause();
        } else if (paused && waitingBytes <= limits.low()) {
            paused = false;
            owner.resume();
        }
    }

    /** Drops what is queued; what libuv is at work on is given back in its callbacks. */
    void discard() {
        discarded = true;
        for (var next = queue.pollFirst(); next != null; next = queue.pollFirst()) {
            over(next);
        }
        for (var request = requests.pollFirst(); request != null; request = requests.pollFirst()) {
            request.free();
        }
        if (batch != null) {
            batch.close();
        }
        segments.clear();
        freeIfIdle();
    }

    private void freeIfIdle() {
        if (waiting == 0 && filling != null) {
            io.chunks().give(filling);
            filling = null;
        }
    }
}
