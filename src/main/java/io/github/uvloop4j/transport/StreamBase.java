package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvShutdown;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection's life: open, closing (what was written goes out, nothing is read), lost. The first reason for its end
 * wins; {@link #lost} is called once.
 */
abstract class StreamBase
        implements UvStream.Reader, Outgoing.Owner, LoopIo.Closeables, StreamClients.Client, ConnectionLife, Created {
    final LoopIo io;
    final UvStream stream;
    final Outgoing outgoing;
    private final @Nullable Consumer<StreamBase> onGone;
    private int fd = -1;
    private boolean accepted;
    private long receivedBytes;
    private boolean reading;
    private boolean ended;
    private boolean closing;
    private boolean dead;
    private boolean eofWanted;
    private boolean eofSent;
    private final StreamNames names;
    private Way way = Way.BOTH;
    private @Nullable String peerHost;
    private @Nullable Throwable creation;

    StreamBase(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        this.io = io;
        this.stream = stream;
        this.outgoing = new Outgoing(io, stream, this, limits);
        this.onGone = onGone;
        this.names = new StreamNames(io, stream);
    }

    /** It is an end of a pipe; before it is registered. Throws UvException when there is no descriptor left. */
    final void goes(Way value) {
        value.watch(io, this::hungUp);
        way = value;
        ended = !value.reads;
    }

    /** Takes its place among the loop's connections; after the constructor, before any event. */
    final void register(boolean fromServer) {
        accepted = fromServer;
        fd = stream.fileno();
        io.own(fd, this);
        io.opened(this);
        // Now, since after a reset nobody knows any more.
        peer();
        io.counts().opened(fromServer);
        io.observers().connectionOpened(this);
    }

    /** In debug mode: the place where the user asked for it. */
    public final void createdAt(@Nullable Throwable place) {
        creation = place;
    }

    @Override
    public final @Nullable Throwable creation() {
        return creation;
    }

    // Reading

    public final void startReading() {
        if (!reading && !ended && !closing) {
            reading = true;
            stream.readStart(this);
        }
    }

    final void stopReading() {
        if (reading) {
            reading = false;
            if (!dead) {
                stream.readStop();
            }
        }
    }

    final boolean isReadingNow() {
        return reading;
    }

    public final boolean atEnd() {
        return ended;
    }

    /** libuv has stopped reading by itself. */
    final void readEnded() {
        reading = false;
        ended = true;
    }

    final Way way() {
        return way;
    }

    /** So many bytes have come. */
    final void arrived(int count) {
        receivedBytes += count;
        io.counts().received(count);
    }

    // Writing

    final void checkWritable() {
        way.checkWrites();
        if (eofWanted) {
            throw new IllegalStateException("the writing side was ended before");
        }
    }

    final boolean isWritingEnded() {
        return eofWanted;
    }

    final void endWriting() {
        io.check();
        if (eofWanted || closing) {
            return;
        }
        checkWritable();
        eofWanted = true;
        if (outgoing.isIdle()) {
            sendEof();
        }
    }

    private void sendEof() {
        if (eofSent || dead) {
            return;
        }
        eofSent = true;
        if (!way.reads) {
            // Its only direction.
            fail(null);
            return;
        }
        var request = new UvShutdown(io.uv());
        try {
            // Its failure says that the peer is gone, which reading or writing tells better.
            stream.shutdown(request, status -> request.free());
        } catch (UvException e) {
            request.free();
        }
    }

    @Override
    public final void writeFailed(int status) {
        fail(IoErrors.of(status, "write to " + describePeer()));
    }

    @Override
    public void drained() {
        if (closing) {
            die(null);
        } else if (eofWanted) {
            sendEof();
        }
    }

    // The end

    @Override
    public void closeGracefully() {
        io.check();
        if (closing) {
            return;
        }
        closing = true;
        stopReading();
        if (outgoing.isIdle()) {
            die(null);
        }
    }

    final void fail(@Nullable Throwable cause) {
        closing = true;
        die(cause);
    }

    /** Nobody reads any more. Callbacks are told of an error only if something is lost by that. */
    private void hungUp() {
        boolean quiet = outgoing.isIdle() && this instanceof Transport;
        fail(quiet ? null : IoErrors.of(UvErrno.EPIPE.code(), "write to " + describePeer()));
    }

    final void closeWithReset() {
        io.check();
        if (dead) {
            return;
        }
        closing = true;
        reading = false;
        if (eofSent) {
            // libuv refuses to reset after a shutdown.
            die(null);
            return;
        }
        prepareDeath();
        closeReset();
        failing(null);
        bury(null);
    }

    private void closeReset() {
        try {
            if (stream instanceof UvTcp tcp) {
                tcp.closeReset(null);
                return;
            }
        } catch (UvException e) {
            // Not connected any more.
        }
        stream.close();
    }

    private void die(@Nullable Throwable cause) {
        if (dead) {
            return;
        }
        stopReading();
        prepareDeath();
        stream.close();
        failing(cause);
        bury(cause);
    }

    /** It is over, for those who wait; {@link #lost} follows in a turn of its own. */
    void failing(@Nullable Throwable cause) {}

    private void prepareDeath() {
        dead = true;
        local();
        way.close();
        io.disown(fd);
        outgoing.discard();
    }

    private void bury(@Nullable Throwable cause) {
        io.closed(this);
        io.counts().closed();
        io.observers().connectionClosed(this, cause);
        io.context().soon(() -> {
            try {
                lost(cause);
            } finally {
                if (onGone != null) {
                    onGone.accept(this);
                }
            }
        });
    }

    /** It is over; called once, in a turn of its own. */
    abstract void lost(@Nullable Throwable cause);

    @Override
    public final void abortNow() {
        fail(null);
    }

    @Override
    public boolean isFlushing() {
        return closing && !dead;
    }

    final boolean isClosingNow() {
        return closing;
    }

    public final boolean isDead() {
        return dead;
    }

    // Names

    /** The own address. */
    public final SocketAddress localAddress() {
        return names.local();
    }

    /** The peer's address. */
    public final SocketAddress peerAddress() {
        return names.peer();
    }

    /** Remembers the host that was asked for. */
    final void peerHost(@Nullable String host) {
        peerHost = host;
    }

    /** The host that was asked for when it was connected; null when that is not known. */
    public final @Nullable String peerHost() {
        return peerHost;
    }

    // For those who look on

    @Override
    public final LoopContext loop() {
        return io.context();
    }

    @Override
    public final String kind() {
        return way != Way.BOTH ? "pipe" : stream instanceof UvTcp ? "tcp" : "unix";
    }

    @Override
    public final boolean isAccepted() {
        return accepted;
    }

    @Override
    public final @Nullable SocketAddress local() {
        return StreamNames.orNull(names::local);
    }

    @Override
    public final @Nullable SocketAddress peer() {
        return StreamNames.orNull(names::peer);
    }

    @Override
    public final long bytesReceived() {
        return receivedBytes;
    }

    @Override
    public final long bytesSent() {
        return outgoing.sentBytes();
    }

    final String describePeer() {
        return way.peer(names);
    }
}
