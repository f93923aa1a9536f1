package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that tasks wait for. A task that waits to read lends its own buffer to the kernel; without one, what arrives is
 * kept up to the read limit. Secured, it carries the records of the TLS above it instead.
 */
abstract class TaskStream extends StreamBase implements TaskWaits.Stream {
    private final BufferSegments segments = new BufferSegments();
    final TaskWaits waits;
    final TaskReader reader;
    private boolean lentTarget;

    /** The TLS that it belongs to, and what that reads with. */
    @Nullable
    TlsTransport above;

    private @Nullable Protocol below;

    TaskStream(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        super(io, stream, limits, onGone);
        this.waits = new TaskWaits(io, this);
        this.reader = new TaskReader(io, waits);
    }

    /** Gives it to TLS. */
    final void give(TlsTransport tls, Protocol reading) {
        above = tls;
        below = reading;
    }

    @Override
    public void allocate(UvStream stream, long suggested) {
        var buffer = waits.target();
        lentTarget = buffer != null && buffer.isDirect();
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
            if (below != null) {
                carried(below, count);
            } else if (lentTarget) {
                waits.wakeReader(count);
            } else {
                keep(count);
            }
        } else if (count < 0) {
            readEnded();
            if (way().isEnd(count)) {
                ended();
            } else {
                fail(IoErrors.of(count, "read from " + describePeer()));
            }
        }
    }

    private void keep(int count) {
        boolean enough = reader.keep(io.view().limit(count).position(0));
        io.view().limit(0);
        if (enough) {
            stopReading();
        }
        waits.wakeReader(0);
    }

    private void carried(Protocol tls, int count) {
        try {
            tls.dataReceived(io.view().limit(count).position(0));
        } finally {
            io.view().limit(0);
        }
    }

    private void ended() {
        var tls = below;
        if (tls == null) {
            waits.wakeReader(TaskWaits.END);
        } else if (!tls.eofReceived()) {
            super.closeGracefully();
        }
    }

    @Override
    public final boolean isOutputLow() {
        return !outgoing.isPaused();
    }

    @Override
    public final boolean isOutputEmpty() {
        return outgoing.isIdle();
    }

    @Override
    public final void pause() {
        if (below != null) {
            below.pauseWriting();
        }
    }

    @Override
    public final void resume() {
        if (below != null) {
            below.resumeWriting();
        }
        waits.wakeWriter();
    }

    @Override
    public final void drained() {
        waits.allSent();
        super.drained();
        waits.wakeWriter();
    }

    /** Whether it is open and nothing is under way; reads ahead from then on, to see the peer's end. */
    final boolean isIdleNow() {
        io.check();
        if (isClosingNow() || atEnd() || !waits.isQuiet() || !outgoing.isIdle() || isWritingEnded()) {
            return false;
        }
        startReading();
        return true;
    }

    @Override
    final void failing(@Nullable Throwable cause) {
        waits.failing(cause);
    }

    @Override
    void lost(@Nullable Throwable cause) {
        if (below != null) {
            below.connectionLost(cause);
        }
    }
}
