package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.TlsInfo;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.observe.Handshake;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import io.github.uvloop4j.tls.Tls;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * TLS over another transport, whose protocol it is. It closes in order: what was written goes out, then close_notify, and
 * the peer has the shutdown timeout to answer. What it goes on sending meanwhile is dropped, and after some of it nobody
 * waits any longer.
 */
final class TlsTransport implements Transport, TlsLower, StreamClients.Client, TlsEngine.Owner, TlsUpper.Owner {
    private static final WriteLimits LIMITS = new WriteLimits(512 * 1024, 128 * 1024);
    private static final int MOST_LATE = 64 * 1024;
    private static final int WARN_AFTER = 5;
    private static final Protocol NOBODY = data -> {};

    /** Who waits for the end of the handshake; told once, on the loop. */
    interface Outcome {
        /** It has succeeded: the time to set the protocol and to tell it. Data follows in a later turn. */
        void established(TlsTransport transport);

        /** It has not, and the connection is gone. */
        void failed(IOException error);
    }

    final LoopIo io;
    private final Tls tls;
    private final TlsLower lower;
    private final Outcome outcome;
    private final TlsEngine engine;
    private final TlsUpper upper;
    private final Protocol below = new Below();
    private WriteLimits limits;
    private @Nullable TimerHandle timer;
    private @Nullable TlsInfo info;
    private @Nullable TlsTransport above;
    private @Nullable IOException failure;
    private @Nullable TlsFileSend file;
    private boolean endWanted;
    private @Nullable Handshake handshake;
    private long begunMillis;
    private boolean established;
    private boolean lowerPaused;
    private boolean writingPaused;
    private boolean eofWanted;
    private boolean inputEnded;
    private boolean resuming;
    private boolean closing;
    private boolean gone;
    private int late;
    private int dropped;

    /**
     * The TLS of a transport, which gets a protocol later or with {@link #attach}.
     */
    TlsTransport(LoopIo io, TlsLower lower, Tls tls, WriteLimits limits, Outcome outcome) {
        this.io = io;
        this.tls = tls;
        this.lower = lower;
        this.outcome = outcome;
        this.limits = limits.equals(WriteLimits.DEFAULT) ? LIMITS : limits;
        this.upper = new TlsUpper(io, this);
        this.engine = switch (tls) {
            case ClientTls client -> new TlsEngine(io.tls(), this, client.engine(lower.peerHost(), port(peer(lower))));
            case ServerTls server -> new TlsEngine(io.tls(), this, server);
        };
    }

    /** Whom it is connected to; null when nobody knows any more, as after a reset. */
    private static @Nullable SocketAddress peer(TlsLower lower) {
        return lower.extraInfo("peername") instanceof SocketAddress known ? known : null;
    }

    private static int port(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress internet ? internet.getPort() : -1;
    }

    /**
     * TLS on a new connection, with which the handshake begins in a later turn.
     *
     * @param host what a client connects to, or null
     * @param gone called in a later turn, when it has ended
     */
    static TlsTransport over(
            LoopIo io,
            UvStream stream,
            Tls tls,
            @Nullable String host,
            WriteLimits limits,
            Outcome outcome,
            @Nullable Consumer<? super TlsTransport> gone,
            @Nullable Throwable creation) {
        var made = new TlsTransport[1];
        Consumer<StreamBase> whenGone = gone == null ? null : dead -> gone.accept(made[0]);
        var lower = new ProtocolTransport(io, stream, NOBODY, limits, whenGone);
        lower.createdAt(creation);
        lower.peerHost(host);
        lower.start(tls instanceof ServerTls);
        try {
            var secured = new TlsTransport(io, lower, tls, limits, outcome);
            made[0] = secured;
            secured.attach(null);
            return secured;
        } catch (RuntimeException refused) {
            lower.abort();
            throw refused;
        }
    }

    /** Takes the transport below over, together with the protocol that it had, if any. */
    void attach(@Nullable BaseProtocol before) {
        lowerPaused = lower.isWritingPaused();
        writingPaused = lowerPaused;
        if (before != null) {
            upper.protocol(before);
        }
        lower.secure(this, below);
        lower.writeBufferLimits(limits);
    }

    /** Begins the handshake, with bytes that have come already. */
    void begin(ByteBuffer early) {
        begunMillis = System.currentTimeMillis();
        var begun = new Handshake(tls instanceof ServerTls, peer(lower));
        handshake = begun;
        io.observers().handshakeBegins(begun);
        startTimer(tls.handshakeTimeout(), this::handshakeTimedOut);
        lower.flow();
        engine.begin();
        if (early.hasRemaining()) {
            engine.receive(early);
        }
    }

    private void startTimer(Duration limit, Runnable action) {
        stopTimer();
        timer = io.context().at(Durations.deadline(Durations.nanos(limit, "limit")), action);
    }

    private void stopTimer() {
        var running = timer;
        timer = null;
        if (running != null) {
            running.cancel();
        }
    }

    private void handshakeTimedOut() {
        fail(new SocketTimeoutException("TLS handshake timed out after " + tls.handshakeTimeout()));
        lower.abort();
    }

    private void shutdownTimedOut() {
        fail(new SocketTimeoutException("TLS shutdown timed out after " + tls.shutdownTimeout()
                + ": the peer neither closed its side nor took all that was written"));
        lower.abort();
    }

    /** The first failure wins. */
    private void fail(IOException error) {
        if (failure == null) {
            failure = error;
        }
        engine.release();
    }

    // From below

    private final class Below implements Protocol {
        @Override
        public void connectionMade(Transport transport) {
            begin(ByteBuffer.allocate(0));
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            engine.receive(data);
        }

        @Override
        public boolean eofReceived() {
            return lowerEnded();
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            lowerLost(cause);
        }

        @Override
        public void pauseWriting() {
            lowerPaused = true;
            marks();
        }

        @Override
        public void resumeWriting() {
            lowerPaused = false;
            marks();
        }
    }

    /** The stream of records has ended; whether the transport below stays open. */
    private boolean lowerEnded() {
        if (gone || failure != null) {
            return false;
        }
        if (!established) {
            fail(new SSLHandshakeException("the peer closed the connection during the TLS handshake"));
            lower.abort();
            return true;
        }
        if (closing) {
            return false;
        }
        inputEnded = true;
        checkTruncated();
        return true;
    }

    /** An end without close_notify may have been put there by somebody else. */
    private void checkTruncated() {
        boolean early = resuming || engine.hasRecord() || upper.isBusy();
        if (inputEnded && !early && !closing && !engine.isInputClosed()) {
            fail(new SSLException(
                    "the peer ended the connection without close_notify:" + " what it sent may be incomplete"));
            lower.abort();
        }
    }

    private void lowerLost(@Nullable Throwable cause) {
        if (gone) {
            return;
        }
        gone = true;
        if (file != null) {
            file.abandon();
        }
        stopTimer();
        engine.release();
        upper.silence();
        if (established) {
            upper.lost(failure != null ? failure : closing ? null : cause);
        } else {
            var error = handshakeError(cause);
            handshakeEnded(null, error);
            outcome.failed(error);
        }
    }

    private void handshakeEnded(Handshake.@Nullable Agreed agreed, @Nullable Throwable error) {
        var ended = handshake;
        handshake = null;
        if (ended == null) {
            return;
        }
        if (agreed != null) {
            ended.succeeded(agreed);
        }
        io.observers().handshakeEnded(ended, error);
    }

    private IOException handshakeError(@Nullable Throwable cause) {
        if (failure != null) {
            return failure;
        }
        if (cause == null) {
            return new ClosedChannelException();
        }
        var error = new SSLHandshakeException("the connection broke during the TLS handshake: " + cause.getMessage());
        error.initCause(cause);
        return error;
    }

    // From the engine

    @Override
    public void send(ByteBuffer records) {
        lower.carry(records);
    }

    @Override
    public void received(ByteBuffer plain) {
        if (endWanted) {
            return;
        }
        if (!closing) {
            upper.received(plain);
            return;
        }
        late += plain.remaining();
        if (late > MOST_LATE) {
            engine.release();
            lower.end();
        }
    }

    @Override
    public void elsewhere(Runnable steps, TlsEngine.TasksEnd then) {
        // Else a peer could send without end what nobody looks at meanwhile.
        lower.hold();
        TlsWork.run(io.context(), tls.executor(), steps, failure -> {
            if (!gone && (closing || !established || !upper.isPaused())) {
                lower.flow();
            }
            then.ended(failure);
        });
    }

    @Override
    public boolean isStuck() {
        return lowerPaused;
    }

    @Override
    public void established() {
        stopTimer();
        var agreed = TlsFacts.of(engine, begunMillis);
        info = agreed;
        established = true;
        handshakeEnded(new Handshake.Agreed(agreed.protocol(), agreed.cipher(), agreed.resumed()), null);
        upper.inContext(() -> outcome.established(this));
        resumeLater();
    }

    @Override
    public void peerClosed() {
        if (closing) {
            lower.end();
        } else {
            upper.then(this::tellEnd);
        }
    }

    private void tellEnd() {
        if (!upper.ended() || engine.isOutputClosed()) {
            end();
        }
    }

    @Override
    public void failed(SSLException error) {
        if (!closing) {
            fail(error);
            startTimer(tls.shutdownTimeout(), lower::abort);
        }
        lower.end();
    }

    @Override
    public void protocolFailed(Throwable error) {
        fail(error instanceof IOException known ? known : new IOException("the protocol failed: " + error, error));
        lower.abort();
    }

    // The protocol

    @Override
    public BaseProtocol protocol() {
        io.checkLook();
        return upper.protocol();
    }

    @Override
    public void protocol(BaseProtocol protocol) {
        io.check();
        checkFree();
        upper.protocol(protocol);
    }

    /** Gives it its first protocol, and tells it so. */
    void made(BaseProtocol protocol) {
        upper.protocol(protocol);
        upper.made(this);
    }

    // Reading

    @Override
    public void pauseReading() {
        checkFree();
        hold();
    }

    @Override
    public void hold() {
        io.check();
        upper.pause();
        engine.wanted(false);
        if (established && !closing && !gone) {
            lower.hold();
        }
    }

    @Override
    public void resumeReading() {
        checkFree();
        flow();
    }

    @Override
    public void flow() {
        io.check();
        upper.unpause();
        if (established && !closing && !gone) {
            resumeLater();
        }
    }

    /** Not at once: a protocol is not called within its own calls. */
    private void resumeLater() {
        if (!resuming) {
            resuming = true;
            io.context().soon(this::resume);
        }
    }

    private void resume() {
        resuming = false;
        if (gone || closing) {
            return;
        }
        if (upper.isPaused()) {
            lower.hold();
        } else if (upper.deliverKept()) {
            engine.wanted(true);
            // Not before what was kept is gone: who reads slowly would get more of it with each turn.
            if (!upper.isPaused()) {
                lower.flow();
            }
            checkTruncated();
        }
    }

    @Override
    public boolean isReading() {
        io.checkLook();
        return established && !upper.isPaused() && !engine.isInputClosed() && !isEnding();
    }

    // Writing

    @Override
    public void write(ByteBuffer data) {
        io.check();
        checkFree();
        writeFromAbove(data);
    }

    private void writeFromAbove(ByteBuffer data) {
        if (eofWanted) {
            throw new IllegalStateException("the writing side was ended before");
        }
        if (isEnding()) {
            drop(data);
        } else if (file != null) {
            file.hold(data);
        } else if (data.hasRemaining()) {
            writePiece(data);
        }
    }

    /** Writes past what waits for the end of a file. */
    void writePiece(ByteBuffer data) {
        engine.write(data);
        marks();
    }

    /** Sends part of a file; what is written from now on follows it. */
    LoopFuture<Long> sendFile(Path path, long position, long count) {
        checkFree();
        if (eofWanted) {
            throw new IllegalStateException("the writing side was ended before");
        }
        if (file != null) {
            throw new IllegalStateException("a file is being sent already");
        }
        if (isEnding() || !established) {
            return LoopFuture.failed(io.context(), new ClosedChannelException());
        }
        var sending = new TlsFileSend(io, this, position, count);
        file = sending;
        return sending.begin(path);
    }

    /** A file was sent, or not; what was written meanwhile goes on. */
    void fileOver(ByteQueue held) {
        file = null;
        boolean ends = endWanted;
        endWanted = false;
        if (isEnding()) {
            return;
        }
        if (held.size() > 0) {
            writePiece(ByteBuffer.wrap(held.take(held.size())));
        }
        if (eofWanted) {
            engine.close();
        }
        if (ends) {
            end();
        }
    }

    @Override
    public void carry(ByteBuffer records) {
        writeFromAbove(records);
    }

    /** Gathers them, so that small ones share records. */
    @Override
    public void writeLines(List<ByteBuffer> lines) {
        io.check();
        checkFree();
        var gathered = io.tls().takePlain();
        try {
            for (var line : lines) {
                while (line.hasRemaining()) {
                    int count = Math.min(line.remaining(), gathered.remaining());
                    gathered.put(gathered.position(), line, line.position(), count);
                    gathered.position(gathered.position() + count);
                    line.position(line.position() + count);
                    if (!gathered.hasRemaining()) {
                        writeFromAbove(gathered.flip());
                        gathered.clear();
                    }
                }
            }
            writeFromAbove(gathered.flip());
        } finally {
            io.tls().givePlain(gathered);
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

    private void marks() {
        int waiting = engine.unsent();
        if (!writingPaused && (lowerPaused || waiting > limits.high())) {
            writingPaused = true;
            upper.pauseWriting();
        } else if (writingPaused && !lowerPaused && waiting <= limits.low()) {
            writingPaused = false;
            upper.resumeWriting();
            if (file != null) {
                file.resume();
            }
        }
    }

    @Override
    public void writeEof() {
        io.check();
        checkFree();
        if (!eofWanted && !isEnding()) {
            eofWanted = true;
            if (file == null) {
                engine.close();
            }
        }
    }

    @Override
    public boolean canWriteEof() {
        io.checkLook();
        return true;
    }

    @Override
    public void writeBufferLimits(WriteLimits value) {
        io.check();
        limits = value;
        lower.writeBufferLimits(value);
        marks();
    }

    @Override
    public WriteLimits writeBufferLimits() {
        io.checkLook();
        return limits;
    }

    @Override
    public long writeBufferSize() {
        io.checkLook();
        return gone ? 0 : engine.unsent() + (file == null ? 0 : file.heldBytes()) + lower.writeBufferSize();
    }

    // The end

    @Override
    public void close() {
        io.check();
        var higher = above;
        if (higher == null) {
            end();
        } else {
            higher.close();
        }
    }

    @Override
    public void end() {
        if (isEnding()) {
            return;
        }
        if (!established) {
            abort();
            return;
        }
        if (file != null) {
            endWanted = true;
            return;
        }
        closing = true;
        upper.silence();
        startTimer(tls.shutdownTimeout(), this::shutdownTimedOut);
        engine.close();
        if (engine.isInputClosed() || inputEnded) {
            lower.end();
        } else {
            lower.flow();
            engine.wanted(true);
        }
    }

    @Override
    public void closeGracefully() {
        close();
    }

    @Override
    public void abort() {
        io.check();
        if (!gone) {
            closing = true;
            engine.release();
            upper.silence();
            lower.abort();
        }
    }

    /** {@link #abort} by who cancels a handshake, on any thread. */
    void abortFromAnywhere() {
        if (io.context().inLoop()) {
            abort();
            return;
        }
        try {
            io.context().post(this::abort);
        } catch (RejectedExecutionException closed) {
            // Closing the loop has aborted it.
        }
    }

    @Override
    public void abortNow() {
        abort();
    }

    @Override
    public void reset() {
        io.check();
        if (!gone) {
            closing = true;
            engine.release();
            upper.silence();
            lower.reset();
        }
    }

    private boolean isEnding() {
        return closing || gone || endWanted || failure != null;
    }

    @Override
    public boolean isClosing() {
        io.checkLook();
        return isEnding();
    }

    // TLS over this one

    private void checkFree() {
        if (above != null) {
            throw TlsErrors.secured();
        }
    }

    @Override
    public void secure(TlsTransport higher, Protocol higherBelow) {
        checkFree();
        above = higher;
        upper.protocol(higherBelow);
    }

    @Override
    public boolean isWritingPaused() {
        return writingPaused;
    }

    // The rest

    @Override
    public @Nullable TlsInfo tls() {
        io.checkLook();
        return info;
    }

    @Override
    public SocketAddress localAddress() {
        return lower.localAddress();
    }

    @Override
    public SocketAddress peerAddress() {
        return lower.peerAddress();
    }

    @Override
    public @Nullable String peerHost() {
        return lower.peerHost();
    }

    @Override
    public @Nullable Object extraInfo(String name) {
        var known = info;
        return switch (name) {
            case "sslcontext" -> tls.context();
            case "ssl_object" -> known == null ? null : engine.sslEngine().getSession();
            case "peercert" -> known == null ? null : known.peerCertificate();
            case "cipher" -> known == null ? null : known.cipher();
            case "compression" -> null;
            default -> lower.extraInfo(name);
        };
    }

    @Override
    public String toString() {
        return "TLS over " + lower;
    }
}
