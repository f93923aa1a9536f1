package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.TlsInfo;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection for callbacks. */
final class ProtocolTransport extends StreamBase implements Transport, TlsLower {
    private static final int WARN_AFTER = 5;

    private final @Nullable Context context;
    private BaseProtocol protocol;

    /** The protocol, in its context if it has one. */
    private BaseProtocol called;

    private final BufferSegments segments = new BufferSegments();
    private @Nullable BufferedProtocol lender;
    private @Nullable ByteBuffer lentBuffer;
    private boolean lentDirect;
    private boolean paused;
    private boolean made;
    private int dropped;

    /** The TLS that it belongs to. */
    private @Nullable TlsTransport above;

    ProtocolTransport(
            LoopIo io,
            UvStream stream,
            BaseProtocol protocol,
            WriteLimits limits,
            @Nullable Consumer<StreamBase> onGone) {
        super(io, stream, limits, onGone);
        var captured = io.context().capture();
        this.context = captured == null ? null : captured.lasting();
        this.protocol = protocol;
        this.called = ContextProtocol.of(context, protocol);
    }

    /** Queues connectionMade; reading starts after it. */
    void start(boolean accepted) {
        register(accepted);
        io.context().soon(() -> {
            made = true;
            guarded("connectionMade", () -> called.connectionMade(this));
            if (!paused) {
                startReading();
            }
        });
    }

    private void guarded(String what, Runnable callback) {
        try {
            callback.run();
        } catch (Throwable error) {
            io.context().report("protocol." + what + " failed", error, protocol);
        }
    }

    private void fatal(String what, Throwable error) {
        io.context().report("protocol." + what + " failed, and the connection with it", error, protocol);
        fail(error);
    }

    // In

    @Override
    public void allocate(UvStream stream, long suggested) {
        if (called instanceof BufferedProtocol buffered) {
            lendTheirs(stream, buffered, (int) suggested);
        } else {
            lender = null;
            stream.lend(io.receive(), 0, io.receive().byteSize());
        }
    }

    private void lendTheirs(UvStream stream, BufferedProtocol buffered, int suggested) {
        lender = buffered;
        try {
            var buffer = buffered.getBuffer(suggested);
            if (!buffer.hasRemaining() || buffer.isReadOnly()) {
                throw new IllegalStateException("getBuffer returned a buffer without room: " + buffer);
            }
            lentBuffer = buffer;
            lentDirect = buffer.isDirect();
            if (lentDirect) {
                stream.lend(segments.of(buffer), buffer.position(), buffer.remaining());
            } else {
                stream.lend(io.receive(), 0, Math.min(io.receive().byteSize(), buffer.remaining()));
            }
        } catch (Throwable error) {
            fatal("getBuffer", error);
        }
    }

    @Override
    public void read(UvStream stream, int count) {
        if (count > 0) {
            arrived(count);
            received(count);
        } else if (way().isEnd(count)) {
            readEnded();
            received(0);
        } else if (count < 0) {
            readEnded();
            fail(IoErrors.of(count, "read from " + describePeer()));
        }
    }

    private void received(int count) {
        if (isClosingNow()) {
            return;
        }
        if (count == 0) {
            eof();
        } else if (lender != null && lentBuffer != null) {
            intoTheirs(lender, lentBuffer, count);
        } else if (called instanceof Protocol plain) {
            if (io.debug()) {
                intoOwnMemory(plain, count);
            } else {
                intoView(plain, count);
            }
        }
    }

    private void intoView(Protocol plain, int count) {
        var view = io.view();
        view.limit(count).position(0).order(ByteOrder.BIG_ENDIAN);
        try {
            plain.dataReceived(view);
        } catch (Throwable error) {
            fatal("dataReceived", error);
        } finally {
            view.limit(0);
        }
    }

    /** Debug mode: memory that is taken away after the call, so that a kept buffer throws. */
    private void intoOwnMemory(Protocol plain, int count) {
        try (var arena = Arena.ofConfined()) {
            var copy = arena.allocate(count);
            MemorySegment.copy(io.receive(), 0, copy, 0, count);
            plain.dataReceived(copy.asByteBuffer());
        } catch (Throwable error) {
            fatal("dataReceived", error);
        }
    }

    private void intoTheirs(BufferedProtocol buffered, ByteBuffer buffer, int count) {
        lentBuffer = null;
        if (!lentDirect) {
            buffer.put(buffer.position(), io.view().limit(count).position(0), 0, count);
            io.view().limit(0);
        }
        try {
            buffered.bufferUpdated(count);
        } catch (Throwable error) {
            fatal("bufferUpdated", error);
        }
    }

    private void eof() {
        boolean keepWriting = false;
        try {
            keepWriting = called.eofReceived();
        } catch (Throwable error) {
            fatal("eofReceived", error);
        }
        if (!keepWriting) {
            end();
        }
    }

    @Override
    public void pauseReading() {
        checkFree();
        hold();
    }

    @Override
    public void hold() {
        io.check();
        paused = true;
        stopReading();
    }

    @Override
    public void resumeReading() {
        checkFree();
        flow();
    }

    @Override
    public void flow() {
        io.check();
        paused = false;
        if (made) {
            startReading();
        }
    }

    @Override
    public boolean isReading() {
        io.checkLook();
        return !paused && !atEnd() && !isClosingNow();
    }

    // Out

    @Override
    public void write(ByteBuffer data) {
        checkFree();
        carry(data);
    }

    @Override
    public void carry(ByteBuffer data) {
        io.check();
        checkWritable();
        if (isClosingNow()) {
            drop(data);
        } else if (data.hasRemaining()) {
            outgoing.write(data);
        }
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) {
        checkFree();
        io.check();
        checkWritable();
        if (isClosingNow()) {
            lines.forEach(this::drop);
        } else if (!lines.isEmpty()) {
            outgoing.writeAll(lines);
        }
    }

    private void drop(ByteBuffer data) {
        data.position(data.limit());
        if (++dropped == WARN_AFTER) {
            io.context()
                    .report(
                            "a protocol goes on writing to a closed connection",
                            new IllegalStateException(dropped + " writes were dropped"),
                            protocol);
        }
    }

    /** Sends part of a file past the queue. */
    LoopFuture<Long> sendFile(Path file, long position, long count) {
        checkFree();
        checkWritable();
        try {
            if (isClosingNow()) {
                throw new ClosedChannelException();
            }
            return FileSend.begin(io, this, file, position, count);
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    @Override
    public void writeEof() {
        checkFree();
        endWriting();
    }

    @Override
    public boolean canWriteEof() {
        io.checkLook();
        return way().writes;
    }

    @Override
    public void pause() {
        guarded("pauseWriting", called::pauseWriting);
    }

    @Override
    public void resume() {
        guarded("resumeWriting", called::resumeWriting);
    }

    // The end

    @Override
    public void close() {
        closeGracefully();
    }

    @Override
    public void closeGracefully() {
        var tls = above;
        if (tls == null) {
            end();
        } else {
            tls.close();
        }
    }

    @Override
    public void end() {
        super.closeGracefully();
    }

    @Override
    public void abort() {
        io.check();
        fail(null);
    }

    @Override
    public void reset() {
        closeWithReset();
    }

    @Override
    void lost(@Nullable Throwable cause) {
        guarded("connectionLost", () -> called.connectionLost(cause));
        segments.clear();
    }

    @Override
    public boolean isClosing() {
        io.checkLook();
        return isClosingNow();
    }

    // The rest

    @Override
    public BaseProtocol protocol() {
        io.checkLook();
        return above == null ? protocol : above.protocol();
    }

    @Override
    public void protocol(BaseProtocol value) {
        io.check();
        checkFree();
        change(value);
    }

    private void change(BaseProtocol value) {
        protocol = Objects.requireNonNull(value, "protocol");
        called = ContextProtocol.of(context, value);
    }

    // TLS

    private void checkFree() {
        if (above != null) {
            throw TlsErrors.secured();
        }
    }

    @Override
    public @Nullable TlsInfo tls() {
        io.checkLook();
        return above == null ? null : above.tls();
    }

    @Override
    public void secure(TlsTransport tls, Protocol below) {
        checkFree();
        above = tls;
        change(below);
    }

    @Override
    public boolean isWritingPaused() {
        return outgoing.isPaused();
    }

    @Override
    public boolean isFlushing() {
        var tls = above;
        return super.isFlushing() || tls != null && tls.isClosing() && !isDead() && !outgoing.isIdle();
    }

    @Override
    public boolean isUnclosed() {
        return !isFlushing() && (above == null || !above.isClosing());
    }

    @Override
    public void writeBufferLimits(WriteLimits limits) {
        io.check();
        outgoing.limits(limits);
    }

    @Override
    public WriteLimits writeBufferLimits() {
        io.checkLook();
        return outgoing.limits();
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
    public @Nullable Object extraInfo(String name) {
        try {
            return switch (name) {
                case "sockname" -> localAddress();
                case "peername" -> peerAddress();
                default -> null;
            };
        } catch (RuntimeException unknown) {
            io.check();
            return null;
        }
    }

    @Override
    public String toString() {
        return "transport to " + describePeer() + (isDead() ? " [closed]" : isClosingNow() ? " [closing]" : "");
    }
}
