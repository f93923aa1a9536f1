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
    private static final int MOST_LATE = 64 * 1024;
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
    private final TlsLife life = new TlsLife();
    private final TlsWriting writing;
    private final Protocol below = new Below();
    private @Nullable TimerHandle timer;
    private @Nullable TlsInfo info;
    private @Nullable TlsTransport above;
    private @Nullable Handshake handshake;
    private long begunMillis;
    private boolean inputEnded;
    private boolean resuming;
    private int late;

    /**
     * The TLS of a transport, which gets a protocol later or with {@link #attach}.
     */
    TlsTransport(LoopIo io, TlsLower lower, Tls tls, WriteLimits limits, Outcome outcome) {
        this.io = io;
        this.tls = tls;
        this.lower = lower;
        this.outcome = outcome;
        this.upper = new TlsUpper(io, this);
        this.engine = switch (tls) {
            case ClientTls client -> new TlsEngine(io.tls(), this, client.engine(lower.peerHost(), port(peer(lower))));
            case ServerTls server -> new TlsEngine(io.tls(), this, server);
        };
        this.writing = new TlsWriting(io, lower, engine, upper, life, limits, this::end);
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
        writing.begin(lower.isWritingPaused());
        if (before != null) {
            upper.protocol(before);
        }
        lower.secure(this, below);
        lower.writeBufferLimits(writing.limits());
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
        if (life.failure == null) {
            life.failure = error;
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
            writing.lowerPaused(true);
        }

        @Override
        public void resumeWriting() {
            writing.lowerPaused(false);
        }
    }

    /** The stream of records has ended; whether the transport below stays open. */
    private boolean lowerEnded() {
        if (life.gone || life.failure != null) {
            return false;
        }
        if (!life.established) {
            fail(new SSLHandshakeException("the peer closed the connection during the TLS handshake"));
            lower.abort();
            return true;
        }
        if (life.closing) {
            return false;
        }
        inputEnded = true;
        checkTruncated();
        return true;
    }

    /** An end without close_notify may have been put there by somebody else. */
    private void checkTruncated() {
        boolean early = resuming || engine.hasRecord() || upper.isBusy();
        if (inputEnded && !early && !life.closing && !engine.isInputClosed()) {
            fail(new SSLException(
                    "the peer ended the connection without close_notify:" + " what it sent may be incomplete"));
            lower.abort();
        }
    }

    private void lowerLost(@Nullable Throwable cause) {
        if (life.gone) {
            return;
        }
        life.gone = true;
        writing.abandonFile();
        stopTimer();
        engine.release();
        upper.silence();
        if (life.established) {
            upper.lost(life.failure != null ? life.failure : life.closing ? null : cause);
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
        if (life.failure != null) {
            return life.failure;
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
        if (life.endWanted) {
            return;
        }
        if (!life.closing) {
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
            if (!life.gone && (life.closing || !life.established || !upper.isPaused())) {
                lower.flow();
            }
            then.ended(failure);
        });
    }

    @Override
    public boolean isStuck() {
        return writing.isLowerPaused();
    }

    @Override
    public void established() {
        stopTimer();
        var agreed = TlsFacts.of(engine, begunMillis);
        info = agreed;
        life.established = true;
        handshakeEnded(new Handshake.Agreed(agreed.protocol(), agreed.cipher(), agreed.resumed()), null);
        upper.inContext(() -> outcome.established(this));
        resumeLater();
    }

    @Override
    public void peerClosed() {
        if (life.closing) {
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
        if (!life.closing) {
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
        if (life.isFlowing()) {
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
        if (life.isFlowing()) {
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
        if (life.gone || life.closing) {
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
        return life.established && !upper.isPaused() && !engine.isInputClosed() && !life.isEnding();
    }

    // Writing

    @Override
    public void write(ByteBuffer data) {
        io.check();
        checkFree();
        writing.write(data);
    }

    /** Sends part of a file; what is written from now on follows it. */
    LoopFuture<Long> sendFile(Path path, long position, long count) {
        checkFree();
        return writing.sendFile(path, position, count);
    }

    @Override
    public void carry(ByteBuffer records) {
        writing.write(records);
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) {
        io.check();
        checkFree();
        writing.writeLines(lines);
    }

    @Override
    public void writeEof() {
        io.check();
        checkFree();
        writing.eof();
    }

    @Override
    public boolean canWriteEof() {
        io.checkLook();
        return true;
    }

    @Override
    public void writeBufferLimits(WriteLimits value) {
        io.check();
        writing.limits(value);
    }

    @Override
    public WriteLimits writeBufferLimits() {
        io.checkLook();
        return writing.limits();
    }

    @Override
    public long writeBufferSize() {
        io.checkLook();
        return life.gone ? 0 : writing.waiting() + lower.writeBufferSize();
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
        if (life.isEnding()) {
            return;
        }
        if (!life.established) {
            abort();
            return;
        }
        if (writing.isSendingFile()) {
            life.endWanted = true;
            return;
        }
        life.closing = true;
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
        if (!life.gone) {
            life.closing = true;
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
        if (!life.gone) {
            life.closing = true;
            engine.release();
            upper.silence();
            lower.reset();
        }
    }

    @Override
    public boolean isClosing() {
        io.checkLook();
        return life.isEnding();
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
        return writing.isPaused();
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
