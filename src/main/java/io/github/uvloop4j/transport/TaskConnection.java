package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.IncompleteReadException;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection for tasks: reading and writing as they see it. */
final class TaskConnection extends TaskStream implements Connection {
    private final LoopFuture<@Nullable Void> gone;

    TaskConnection(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        super(io, stream, limits, onGone);
        this.gone = new LoopFuture<>(io.context());
    }

    TaskConnection started(boolean accepted) {
        register(accepted);
        return this;
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
        if (atCleanEnd()) {
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
        io.checkLook();
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
        if (outputNeedsCare()) {
            awaitOutput(Output.LOW);
        }
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) throws IOException {
        checkOutput();
        if (!lines.isEmpty()) {
            outgoing.writeAll(lines);
        }
        if (outputNeedsCare()) {
            awaitOutput(Output.LOW);
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
    public long sendFile(Path file, long position, long count) throws IOException {
        FileSend.check(position, count);
        checkOutput();
        currentTask("sendFile");
        var sending = FileSend.begin(io, this, file, position, count);
        try {
            return Linear.await(sending);
        } catch (CancellationException cancelled) {
            sending.cancel();
            throw cancelled;
        } catch (ClosedChannelException closed) {
            checkOpen();
            throw closed;
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        io.check();
        checkOpen();
        endWriting();
    }

    // The end

    @Override
    public InputStream inputStream() {
        io.check();
        return new ConnectionInput(this, this::close);
    }

    @Override
    public OutputStream outputStream() {
        io.check();
        return new ConnectionOutput(this, this::close);
    }

    /** How many bytes can be read without a wait. */
    int available() {
        io.check();
        return pending.size();
    }

    /** The number of its descriptor, for setting options. */
    int descriptor() {
        io.check();
        return stream.fileno();
    }

    /** Has the kernel drop at close what it has not delivered, and reset the connection. */
    void resetOnClose() {
        Tuning.resetOnClose(descriptor());
    }

    @Override
    public void close() {
        closedHere(this::closeGracefully);
    }

    @Override
    public void abort() {
        closedHere(() -> fail(null));
    }

    @Override
    public void reset() {
        closedHere(this::closeWithReset);
    }

    @Override
    void lost(@Nullable Throwable cause) {
        gone.complete(null);
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        io.checkLook();
        // One for each caller: cancelling it is theirs alone.
        return gone.isDone() ? gone : gone.map(nothing -> null);
    }

    @Override
    public boolean isClosing() {
        io.checkLook();
        return isClosingNow();
    }

    @Override
    public boolean isIdle() {
        return isIdleNow();
    }

    @Override
    public void writeBufferLimits(WriteLimits limits) {
        io.check();
        outgoing.limits(limits);
    }

    @Override
    public long writeBufferSize() {
        io.checkLook();
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
