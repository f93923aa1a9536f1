package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a connection, one to read and one to write, and what arrived before anyone asked for it. A task
 * that waits to read brings its own buffer.
 */
final class TaskWaits {
    /** The connection they wait for. */
    interface Stream {
        /** Somebody waits to read. */
        void startReading();

        /** Whether the connection is gone. */
        boolean isDead();

        /** Whether the peer has ended its side. */
        boolean atEnd();

        /** Whether no more waits to be sent than a writer may leave. */
        boolean isOutputLow();

        /** Whether nothing waits to be sent. */
        boolean isOutputEmpty();
    }

    static final int END = -1;
    private static final int PENDING = Integer.MIN_VALUE;

    private final LoopIo io;
    private final Stream stream;
    final ByteQueue pending = new ByteQueue();
    private @Nullable Task<?> reader;
    private @Nullable ByteBuffer target;
    private int result;
    private @Nullable Task<?> writer;
    private @Nullable Throwable failure;
    private boolean closedByUs;
    private boolean sentAll;

    TaskWaits(LoopIo io, Stream stream) {
        this.io = io;
        this.stream = stream;
    }

    Task<?> currentTask(String what) {
        var task = io.context().currentTask();
        if (task == null) {
            io.check();
            throw new IllegalStateException(what + " would stop the loop: call it in a task (loop.spawn)");
        }
        return task;
    }

    // In

    /** The buffer of the task that waits to read; null when none waits, or has none. */
    @Nullable
    ByteBuffer target() {
        return result == PENDING ? target : null;
    }

    /** Tells the reader: so many bytes went to its buffer, or something to the queue (0), or the end (-1). */
    void wakeReader(int value) {
        var task = reader;
        if (task != null && result == PENDING) {
            result = value;
            task.unpark();
        }
    }

    /** Parks until something happened, which the result says as {@link #wakeReader} does. */
    int awaitRead(@Nullable ByteBuffer buffer, String what) throws IOException {
        var task = currentTask(what);
        if (reader != null) {
            throw new IllegalStateException("another task reads already: " + reader);
        }
        checkOpen();
        reader = task;
        target = buffer;
        result = PENDING;
        try {
            stream.startReading();
            while (result == PENDING && !stream.isDead() && !closedByUs) {
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
    void checkNotClosed() throws IOException {
        if (closedByUs) {
            io.check();
            checkOpen();
        }
    }

    void checkOpen() throws IOException {
        var cause = failure;
        if (cause != null) {
            throw cause.getCause() instanceof UvException first ? IoErrors.of(first) : broken(cause);
        }
        if (closedByUs || stream.isDead()) {
            throw new ClosedChannelException();
        }
    }

    /** A new exception for each caller, whose stack says where it was told. */
    private static IOException broken(Throwable cause) {
        return cause instanceof SSLException
                ? new SSLException(cause.getMessage(), cause)
                : new SocketException("the connection is broken: " + cause.getMessage(), cause);
    }

    /** Whether the stream has ended, and not by us or by an error. */
    boolean atCleanEnd() {
        return stream.atEnd() && failure == null && !closedByUs;
    }

    // Out

    /** Something is about to be written. */
    void checkOutput() throws IOException {
        checkOpen();
        sentAll = false;
    }

    /** What a writing task waits for. */
    enum Output {
        LOW,
        EMPTY
    }

    private boolean reached(Output goal) {
        return goal == Output.LOW ? stream.isOutputLow() : stream.isOutputEmpty();
    }

    void awaitOutput(Output goal) throws IOException {
        io.check();
        while (!stream.isDead() && !reached(goal)) {
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
        if (stream.isDead() && (!sentAll || failure != null)) {
            checkOpen();
        }
    }

    /** After a write: waits while too much is left, and tells of a failure. */
    void awaitAfterWrite() throws IOException {
        if (failure != null || !stream.isOutputLow()) {
            awaitOutput(Output.LOW);
        }
    }

    void wakeWriter() {
        var task = writer;
        if (task != null) {
            task.unpark();
        }
    }

    /** Nothing waits to be sent any more. */
    void allSent() {
        sentAll = true;
    }

    // The end

    /** It was closed, aborted or reset from here: those who wait are told so. */
    void closedHere(Runnable how) {
        io.check();
        closedByUs = true;
        how.run();

        if (reader != null && result == PENDING) {
            reader.unpark();
        }
        wakeWriter();
    }

    void failing(@Nullable Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        if (reader != null) {
            reader.unpark();
        }
        wakeWriter();
    }

    /** Takes what was read ahead, for another to read: nobody may wait. */
    ByteBuffer takePending() {
        return ByteBuffer.wrap(pending.take(pending.size()));
    }

    void checkNobodyWaits() {
        if (reader != null || writer != null) {
            throw new IllegalStateException("a task still reads or writes: " + (reader != null ? reader : writer));
        }
    }

    /** Whether nobody waits, nothing was read ahead and nothing has failed. */
    boolean isQuiet() {
        return failure == null && reader == null && writer == null && pending.size() == 0;
    }
}
