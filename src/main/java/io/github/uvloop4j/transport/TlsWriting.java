package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.WriteLimits;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a TLS transport writes: bytes and files, of which what is written meanwhile waits for the end. */
final class TlsWriting {
    private static final WriteLimits LIMITS = new WriteLimits(512 * 1024, 128 * 1024);
    private static final int WARN_AFTER = 5;

    private final LoopIo io;
    private final TlsLower lower;
    private final TlsEngine engine;
    private final TlsUpper upper;
    private final TlsLife life;
    private final Runnable end;
    private WriteLimits limits;
    private @Nullable TlsFileSend file;
    private boolean lowerPaused;
    private boolean paused;
    private boolean eofWanted;
    private int dropped;

    /**
     * Writes with an engine.
     *
     * @param end closes, which has waited for a file
     */
    TlsWriting(
            LoopIo io,
            TlsLower lower,
            TlsEngine engine,
            TlsUpper upper,
            TlsLife life,
            WriteLimits limits,
            Runnable end) {
        this.io = io;
        this.lower = lower;
        this.engine = engine;
        this.upper = upper;
        this.life = life;
        this.limits = limits.equals(WriteLimits.DEFAULT) ? LIMITS : limits;
        this.end = end;
    }

    void write(ByteBuffer data) {
        checkEof();
        if (life.isEnding()) {
            drop(data);
        } else if (file != null) {
            file.hold(data);
        } else if (data.hasRemaining()) {
            writePiece(data);
        }
    }

    private void checkEof() {
        if (eofWanted) {
            throw new IllegalStateException("the writing side was ended before");
        }
    }

    private void drop(ByteBuffer data) {
        data.position(data.limit());
        if (++dropped == WARN_AFTER) {
            io.context()
                    .report(
                            "a protocol goes on writing to a closed connection",
                            new IllegalStateException(dropped + " writes were dropped"),
                            upper.protocol());
        }
    }

    /** Writes past what waits for the end of a file. */
    void writePiece(ByteBuffer data) {
        engine.write(data);
        marks();
    }

    /** Gathers them, so that small ones share records. */
    void writeLines(List<ByteBuffer> lines) {
        var gathered = io.tls().takePlain();
        try {
            for (var line : lines) {
                while (line.hasRemaining()) {
                    int count = Math.min(line.remaining(), gathered.remaining());
                    gathered.put(gathered.position(), line, line.position(), count);
                    gathered.position(gathered.position() + count);
                    line.position(line.position() + count);
                    if (!gathered.hasRemaining()) {
                        write(gathered.flip());
                        gathered.clear();
                    }
                }
            }
            write(gathered.flip());
        } finally {
            io.tls().givePlain(gathered);
        }
    }

    /** Nothing is written any more. */
    void eof() {
        if (!eofWanted && !life.isEnding()) {
            eofWanted = true;
            if (file == null) {
                engine.close();
            }
        }
    }

    // Files

    /** Sends part of a file; what is written from now on follows it. */
    LoopFuture<Long> sendFile(Path path, long position, long count) {
        checkEof();
        if (file != null) {
            throw new IllegalStateException("a file is being sent already");
        }
        if (life.isEnding() || !life.established) {
            return LoopFuture.failed(io.context(), new ClosedChannelException());
        }
        var sending = new TlsFileSend(io, this, position, count);
        file = sending;
        return sending.begin(path);
    }

    boolean isSendingFile() {
        return file != null;
    }

    /** A file was sent, or not; what was written meanwhile goes on. */
    void fileOver(ByteQueue held) {
        file = null;
        boolean ends = life.endWanted;
        life.endWanted = false;
        if (life.isEnding()) {
            return;
        }
        if (held.size() > 0) {
            writePiece(ByteBuffer.wrap(held.take(held.size())));
        }
        if (eofWanted) {
            engine.close();
        }
        if (ends) {
            end.run();
        }
    }

    /** The connection is over. */
    void abandonFile() {
        if (file != null) {
            file.abandon();
        }
    }

    // The marks

    WriteLimits limits() {
        return limits;
    }

    void limits(WriteLimits value) {
        limits = value;
        lower.writeBufferLimits(value);
        marks();
    }

    /** How many bytes wait here. */
    int waiting() {
        return engine.unsent() + (file == null ? 0 : file.heldBytes());
    }

    boolean isPaused() {
        return paused;
    }

    boolean isLowerPaused() {
        return lowerPaused;
    }

    /** The transport below is as it is when it is taken over; nobody is told. */
    void begin(boolean pausedBefore) {
        lowerPaused = pausedBefore;
        paused = pausedBefore;
    }

    /** The transport below takes no more, or does again. */
    void lowerPaused(boolean value) {
        lowerPaused = value;
        marks();
    }

    private void marks() {
        int unsent = engine.unsent();
        if (!paused && (lowerPaused || unsent > limits.high())) {
            paused = true;
            upper.pauseWriting();
        } else if (paused && !lowerPaused && unsent <= limits.low()) {
            paused = false;
            upper.resumeWriting();
            if (file != null) {
                file.resume();
            }
        }
    }
}
