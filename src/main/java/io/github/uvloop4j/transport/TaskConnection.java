package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.IncompleteReadException;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection for tasks. A task that waits to read lends its own buffer to the kernel; without one, what arrives is
 * kept up to the read limit.
 */
final class TaskConnection extends StreamBase implements Connection {
    private static final int PENDING = Integer.MIN_VALUE;
    private static final int END = -1;

    private final BufferSegments segments = new BufferSegments();
    private final ByteQueue pending = new ByteQueue();
    private final LoopFuture<@Nullable Void> gone;
    private int readLimit = 64 * 1024;

    private @Nullable Task<?> reader;
    private @Nullable ByteBuffer target;
    private int result;
    private boolean lentTarget;

    private @Nullable Task<?> writer;
    private @Nullable Throwable failure;
    private boolean closedByUs;

    TaskConnection(LoopIo io, UvTcp tcp, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        super(io, tcp, limits, onGone);
        this.gone = new LoopFuture<>(io.context());
    }

    TaskConnection started() {
        register();
        return this;
    }

    private Task<?> currentTask(String what) {
        var task = io.context().currentTask();
        if (task == null) {
            io.check();
            throw new IllegalStateException(what + " would stop the loop: call it in a task (loop.spawn)");
        }
        return task;
    }

    // In: upcalls

    @Override
    public void allocate(UvStream stream, long suggested) {
        var buffer = target;
        lentTarget = buffer != null && result == PENDING && buffer.isDirect();
        if (lentTarget && buffer != null) {
            stream.lend(segments.of(buffer), buffer.position(), buffer.remaining());
        } else {
            stream.lend(io.receive(), 0, io.receive().byteSize());
        }
    }

    @Override
    public void read(UvStream stream, int count) {
        if (count > 0) {
            if (lentTarget) {
                wakeReader(count);
            } else {
                keep(count);
            }
        } else if (count < 0) {
            readEnded();
            if (count == UvErrno.EOF.code()) {
                wakeReader(END);
            } else {
                fail(IoErrors.of(count, "read from " + describePeer()));
            }
        }
    }

    private void keep(int count) {
        pending.append(io.view().limit(count).position(0));
        io.view().limit(0);
        if (pending.size() >= readLimit) {
            stopReading();
        }
        wakeReader(0);
    }

    private void wakeReader(int value) {
        var task = reader;
        if (task != null && result == PENDING) {
            result = value;
            task.unpark();
        }
    }

    // In: tasks

    /** Parks until something happened: bytes went to the buffer (count), or to the queue (0), or the end (-1). */
    private int awaitRead(@Nullable ByteBuffer buffer, String what) throws IOException {
        var task = currentTask(what);
        if (reader != null) {
            throw new IllegalStateException("another task reads already: " + reader);
        }
        checkOpen();
        reader = task;
        target = buffer;
        result = PENDING;
        try {
            startReading();
            while (result == PENDING && !isDead() && !closedByUs) {
                task.park();
            }
        } catch (Throwable cancelled) {
            if (result > 0 && buffer != null) {
                putBack(buffer, result);
            }
            throw cancelled;
        } finally {
            reader = null;
            target = null;
        }
        if (result == PENDING) {
            checkOpen();
        }
        return result;
    }

    /** A cancelled task does not take the bytes with it. */
    private void putBack(ByteBuffer buffer, int count) {
        var bytes = new byte[count];
        buffer.get(buffer.position(), bytes);
        pending.unread(bytes, count);
    }

    /** What was read ahead is of no use after close. */
    private void checkNotClosed() throws IOException {
        if (closedByUs) {
            io.check();
            checkOpen();
        }
    }

    private void checkOpen() throws IOException {
        var cause = failure;
        if (cause != null) {
            throw cause.getCause() instanceof UvException first
                    ? IoErrors.of(first)
                    : new SocketException("the connection is broken: " + cause.getMessage(), cause);
        }
        if (closedByUs || isDead()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("cannot be read into: " + buffer);
        }
        checkNotClosed();
        if (pending.size() > 0 || !buffer.hasRemaining()) {
            io.check();
            return pending.take(buffer);
        }
        if (atEnd() && failure == null) {
            io.check();
            return END;
        }
        int count = awaitRead(buffer, "read");
        if (count > 0) {
            buffer.position(buffer.position() + count);
            return count;
        }
        return count == 0 ? pending.take(buffer) : END;
    }

    /** Waits for more in the queue; false at the end of the stream. */
    private boolean more(String what) throws IOException {
        if (atEnd() && failure == null && !closedByUs) {
            return false;
        }
        return awaitRead(null, what) != END;
    }

    @Override
    public void readExactly(ByteBuffer buffer) throws IOException {
        int start = buffer.position();
        try {
            while (buffer.hasRemaining()) {
                if (read(buffer) < 0) {
                    throw new IncompleteReadException(read(buffer, start), buffer.limit() - start + " were read");
                }
            }
        } catch (CancellationException cancelled) {
            var bytes = read(buffer, start);
            pending.unread(bytes, bytes.length);
            buffer.position(start);
            throw cancelled;
        }
    }

    private static byte[] read(ByteBuffer buffer, int start) {
        var bytes = new byte[buffer.position() - start];
        buffer.get(start, bytes);
        return bytes;
    }

    @Override
    public byte[] readExactly(int count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("negative count: " + count);
        }
        var bytes = new byte[count];
        readExactly(ByteBuffer.wrap(bytes));
        return bytes;
    }

    @Override
    public byte[] readAll() throws IOException {
        io.check();
        checkNotClosed();
        var all = new ByteArrayOutputStream();
        try {
            do {
                all.write(pending.take(pending.size()));
            } while (more("readAll"));
        } catch (CancellationException cancelled) {
            pending.unread(all.toByteArray(), all.size());
            throw cancelled;
        }
        return all.toByteArray();
    }

    @Override
    public byte[] readUntil(byte[] separator) throws IOException {
        if (separator.length == 0) {
            throw new IllegalArgumentException("the separator is empty");
        }
        io.check();
        checkNotClosed();
        int searched = 0;
        while (true) {
            int at = pending.indexOf(separator, searched);
            if (at >= 0) {
                Lines.checkLimit(at + separator.length, at, readLimit);
                return pending.take(at + separator.length);
            }
            searched = Math.max(0, pending.size() - separator.length + 1);
            Lines.checkLimit(pending.size() + 1, searched, readLimit);
            if (!more("readUntil")) {
                throw new IncompleteReadException(pending.take(pending.size()), "the separator");
            }
        }
    }

    @Override
    public @Nullable String readLine() throws IOException {
        try {
            return Lines.decode(readUntil(Lines.LF));
        } catch (IncompleteReadException end) {
            var partial = end.partial();
            return partial.length == 0 ? null : Lines.decode(partial);
        }
    }

    @Override
    public int readLimit() {
        return readLimit;
    }

    @Override
    public void readLimit(int bytes) {
        io.check();
        if (bytes < 1) {
            throw new IllegalArgumentException("the read limit must be 1 or more: " + bytes);
        }
        readLimit = bytes;
    }

    // Out

    @Override
    public void write(ByteBuffer data) throws IOException {
        checkOutput();
        outgoing.write(data);
        if (outgoing.isPaused() || failure != null) {
            awaitOutput(Output.LOW);
        }
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) throws IOException {
        checkOutput();
        if (!lines.isEmpty()) {
            outgoing.writeAll(lines);
        }
        if (outgoing.isPaused() || failure != null) {
            awaitOutput(Output.LOW);
        }
    }

    private void checkOutput() throws IOException {
        io.check();
        checkWritable();
        checkOpen();
    }

    /** What a writing task waits for. */
    private enum Output {
        LOW,
        EMPTY
    }

    private boolean reached(Output goal) {
        return goal == Output.LOW ? !outgoing.isPaused() : outgoing.isIdle();
    }

    private void awaitOutput(Output goal) throws IOException {
        io.check();
        while (!isDead() && !reached(goal)) {
            var task = currentTask("waiting for output");
            if (writer != null) {
                throw new IllegalStateException("another task writes already: " + writer);
            }
            writer = task;
            try {
                task.park();
            } finally {
                writer = null;
            }
        }
        if (isDead()) {
            checkOpen();
        }
    }

    private void wakeWriter() {
        var task = writer;
        if (task != null) {
            task.unpark();
        }
    }

    @Override
    public void drain() throws IOException {
        checkOpen();
        awaitOutput(Output.LOW);
    }

    @Override
    public void flush() throws IOException {
        checkOpen();
        awaitOutput(Output.EMPTY);
    }

    @Override
    public long transferTo(Connection other) throws IOException {
        io.check();
        var chunk = io.chunks().take();
        var buffer = chunk.memory.asByteBuffer();
        long total = 0;
        try {
            for (int count = read(buffer); count >= 0; count = read(buffer)) {
                total += count;
                other.write(buffer.flip());
                buffer.clear();
            }
        } finally {
            io.chunks().give(chunk);
        }
        return total;
    }

    @Override
    public void shutdownOutput() throws IOException {
        io.check();
        checkOpen();
        endWriting();
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {
        wakeWriter();
    }

    @Override
    public void drained() {
        super.drained();
        wakeWriter();
    }

    // The end

    @Override
    public void close() {
        io.check();
        closedByUs = true;
        closeGracefully();
        wakeBoth();
    }

    @Override
    public void abort() {
        io.check();
        closedByUs = true;
        fail(null);
        wakeBoth();
    }

    @Override
    public void reset() {
        io.check();
        closedByUs = true;
        closeWithReset();
        wakeBoth();
    }

    private void wakeBoth() {
        if (reader != null && result == PENDING) {
            reader.unpark();
        }
        wakeWriter();
    }

    @Override
    void failing(@Nullable Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        if (reader != null) {
            reader.unpark();
        }
        wakeWriter();
    }

    @Override
    void lost(@Nullable Throwable cause) {
        gone.complete(null);
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        // One for each caller: cancelling it is theirs alone.
        return gone.isDone() ? gone : gone.map(nothing -> null);
    }

    @Override
    public boolean isClosing() {
        return isClosingNow();
    }

    @Override
    public void writeBufferLimits(WriteLimits limits) {
        io.check();
        outgoing.limits(limits);
    }

    @Override
    public long writeBufferSize() {
        if (isDead()) {
            return 0;
        }
        io.check();
        return outgoing.size();
    }

    @Override
    public String toString() {
        return "connection to " + describePeer() + (isDead() ? " [closed]" : isClosingNow() ? " [closing]" : "");
    }
}
