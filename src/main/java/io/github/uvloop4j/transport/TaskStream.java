package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks wait for a connection. A task that waits to read lends its own buffer to the kernel; without one, what
 * arrives is kept up to the read limit. One task may wait to read and another to write.
 */
abstract class TaskStream extends StreamBase {
    private static final int PENDING = Integer.MIN_VALUE;
    static final int END = -1;

    private final BufferSegments segments = new BufferSegments();
    final ByteQueue pending = new ByteQueue();
    int readLimit = 64 * 1024;

    private @Nullable Task<?> reader;
    private @Nullable ByteBuffer target;
    private int result;
    private boolean lentTarget;

    private @Nullable Task<?> writer;
    private @Nullable Throwable failure;
    private boolean closedByUs;
    private boolean sentAll;

    TaskStream(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        super(io, stream, limits, onGone);
    }

    final Task<?> currentTask(String what) {
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
            arrived(count);
            if (lentTarget) {
                wakeReader(count);
            } else {
                keep(count);
            }
        } else if (count < 0) {
            readEnded();
            if (way().isEnd(count)) {
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
    final int awaitRead(@Nullable ByteBuffer buffer, String what) throws IOException {
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
    final void checkNotClosed() throws IOException {
        way().checkReads();
        if (closedByUs) {
            io.check();
            checkOpen();
        }
    }

    final void checkOpen() throws IOException {
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

    /** Waits for more in the queue; false at the end of the stream. */
    final boolean more(String what) throws IOException {
        if (atCleanEnd()) {
            return false;
        }
        return awaitRead(null, what) != END;
    }

    // Out

    final void checkOutput() throws IOException {
        io.check();
        checkWritable();
        checkOpen();
        sentAll = false;
    }

    /** What a writing task waits for. */
    enum Output {
        LOW,
        EMPTY
    }

    private boolean reached(Output goal) {
        return goal == Output.LOW ? !outgoing.isPaused() : outgoing.isIdle();
    }

    final void awaitOutput(Output goal) throws IOException {
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
        if (isDead() && (!sentAll || failure != null)) {
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
    public final void pause() {}

    @Override
    public final void resume() {
        wakeWriter();
    }

    @Override
    public final void drained() {
        sentAll = true;
        super.drained();
        wakeWriter();
    }

    // The end

    /** It was closed, aborted or reset from here: those who wait are told so. */
    final void closedHere(Runnable how) {
        io.check();
        closedByUs = true;
        how.run();

        if (reader != null && result == PENDING) {
            reader.unpark();
        }
        wakeWriter();
    }

    /** Whether the stream has ended, and not by us or by an error. */
    final boolean atCleanEnd() {
        return atEnd() && failure == null && !closedByUs;
    }

    /** Whether it is open and nothing is under way; reads ahead from then on, to see the peer's end. */
    final boolean isIdleNow() {
        io.check();
        if (isClosingNow() || atEnd() || failure != null || reader != null || writer != null) {
            return false;
        }
        if (pending.size() > 0 || !outgoing.isIdle() || isWritingEnded()) {
            return false;
        }
        startReading();
        return true;
    }

    /** Whether a writer has to wait, or to be told of a failure. */
    final boolean outputNeedsCare() {
        return outgoing.isPaused() || failure != null;
    }

    @Override
    final void failing(@Nullable Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        if (reader != null) {
            reader.unpark();
        }
        wakeWriter();
    }
}
