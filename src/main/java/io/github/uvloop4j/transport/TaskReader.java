package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.IncompleteReadException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The ways in which tasks read a connection. A cancelled read takes nothing with it. */
final class TaskReader {
    private final LoopIo io;
    private final TaskWaits waits;
    private final ByteQueue pending;
    private int limit = 64 * 1024;

    TaskReader(LoopIo io, TaskWaits waits) {
        this.io = io;
        this.waits = waits;
        this.pending = waits.pending;
    }

    /** Keeps what arrives while nobody has a buffer for it; whether that is enough for now. */
    boolean keep(ByteBuffer arrived) {
        pending.append(arrived);
        return pending.size() >= limit;
    }

    /** How many bytes can be read without a wait. */
    int available() {
        io.check();
        return pending.size();
    }

    int limit() {
        io.checkLook();
        return limit;
    }

    void limit(int bytes) {
        io.check();
        if (bytes < 1) {
            throw new IllegalArgumentException("the read limit must be 1 or more: " + bytes);
        }
        limit = bytes;
    }

    int read(ByteBuffer buffer) throws IOException {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("cannot be read into: " + buffer);
        }
        waits.checkNotClosed();
        if (pending.size() > 0 || !buffer.hasRemaining()) {
            io.check();
            return pending.take(buffer);
        }
        if (waits.atCleanEnd()) {
            io.check();
            return TaskWaits.END;
        }
        int count = waits.awaitRead(buffer, "read");
        if (count > 0) {
            buffer.position(buffer.position() + count);
            return count;
        }
        return count == 0 ? pending.take(buffer) : TaskWaits.END;
    }

    void readExactly(ByteBuffer buffer) throws IOException {
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

    byte[] readExactly(int count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("negative count: " + count);
        }
        var bytes = new byte[count];
        readExactly(ByteBuffer.wrap(bytes));
        return bytes;
    }

    byte[] readAll() throws IOException {
        io.check();
        waits.checkNotClosed();
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

    byte[] readUntil(byte[] separator) throws IOException {
        if (separator.length == 0) {
            throw new IllegalArgumentException("the separator is empty");
        }
        io.check();
        waits.checkNotClosed();
        int searched = 0;
        while (true) {
            int at = pending.indexOf(separator, searched);
            if (at >= 0) {
                Lines.checkLimit(at + separator.length, at, limit);
                return pending.take(at + separator.length);
            }
            searched = Math.max(0, pending.size() - separator.length + 1);
            Lines.checkLimit(pending.size() + 1, searched, limit);
            if (!more("readUntil")) {
                throw new IncompleteReadException(pending.take(pending.size()), "the separator");
            }
        }
    }

    @Nullable
    String readLine() throws IOException {
        try {
            return Lines.decode(readUntil(Lines.LF));
        } catch (IncompleteReadException end) {
            var partial = end.partial();
            return partial.length == 0 ? null : Lines.decode(partial);
        }
    }

    /** Waits for more in the queue; false at the end of the stream. */
    private boolean more(String what) throws IOException {
        return !waits.atCleanEnd() && waits.awaitRead(null, what) != TaskWaits.END;
    }
}
