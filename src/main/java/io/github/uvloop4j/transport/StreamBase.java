package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvShutdown;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
    private @Nullable SocketAddress localAddress;
    private @Nullable SocketAddress peerAddress;
    private @Nullable Throwable creation;

    StreamBase(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        this.io = io;
        this.stream = stream;
        this.outgoing = new Outgoing(io, stream, this, limits);
        this.onGone = onGone;
    }

    /** Takes its place among the loop's connections; after the constructor, before any event. */
    final void register(boolean fromServer) {
        accepted = fromServer;
        fd = stream.fileno();
        io.own(fd, this);
        io.opened(this);
        try {
            // Now, since after a reset nobody knows any more.
            peerAddress();
        } catch (RuntimeException unknown) {
            // It is gone already.
        }
        io.counts().opened(fromServer);
        io.observers().connectionOpened(this);
    }

    /** In debug mode: the place where the user asked for it. */
    final void createdAt(@Nullable Throwable place) {
        creation = place;
    }

    @Override
    public final @Nullable Throwable creation() {
        return creation;
    }

    // Reading

    final void startReading() {
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

    final boolean atEnd() {
        return ended;
    }

    /** libuv has stopped reading by itself. */
    final void readEnded() {
        reading = false;
        ended = true;
    }

    /** So many bytes have come. */
    final void arrived(int count) {
        receivedBytes += count;
        io.counts().received(count);
    }

    // Writing

    final void checkWritable() {
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
    public final void closeGracefully() {
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
        captureAddresses();
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
    public final boolean isFlushing() {
        return closing && !dead;
    }

    final boolean isClosingNow() {
        return closing;
    }

    final boolean isDead() {
        return dead;
    }

    // Names

    private void captureAddresses() {
        try {
            localAddress();
        } catch (RuntimeException unknown) {
            // It never had one.
        }
    }

    /** The own address. */
    public final SocketAddress localAddress() {
        var known = localAddress;
        if (known == null) {
            io.check();
            known = SocketNames.local(stream.fileno());
            localAddress = known;
        }
        return known;
    }

    /** The peer's address. */
    public final SocketAddress peerAddress() {
        var known = peerAddress;
        if (known == null) {
            io.check();
            known = SocketNames.peer(stream.fileno());
            peerAddress = known;
        }
        return known;
    }

    // For those who look on

    @Override
    public final LoopContext loop() {
        return io.context();
    }

    @Override
    public final String kind() {
        return stream instanceof UvTcp ? "tcp" : "unix";
    }

    @Override
    public final boolean isAccepted() {
        return accepted;
    }

    @Override
    public final @Nullable SocketAddress local() {
        return known(this::localAddress);
    }

    @Override
    public final @Nullable SocketAddress peer() {
        return known(this::peerAddress);
    }

    private static @Nullable SocketAddress known(Supplier<SocketAddress> address) {
        try {
            return address.get();
        } catch (RuntimeException unknown) {
            return null;
        }
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
        var known = peerAddress;
        return known == null ? "the peer" : SocketAddresses.text(known);
    }
}
