package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.TlsInfo;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.Tls;
import io.github.uvloop4j.transport.TaskWaits.Output;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** A connection for tasks: reading and writing as they see it. */
final class TaskConnection extends TaskStream implements LoopConnection, TlsLower {
    private final LoopFuture<@Nullable Void> gone;

    TaskConnection(LoopIo io, UvStream stream, WriteLimits limits, @Nullable Consumer<StreamBase> onGone) {
        super(io, stream, limits, onGone);
        this.gone = new LoopFuture<>(io.context());
    }

    TaskConnection started(boolean accepted) {
        register(accepted);
        return this;
    }

    // In

    private TaskReader in() {
        checkFree();
        way().checkReads();
        return reader;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        return in().read(buffer);
    }

    @Override
    public void readExactly(ByteBuffer buffer) throws IOException {
        in().readExactly(buffer);
    }

    @Override
    public byte[] readExactly(int count) throws IOException {
        return in().readExactly(count);
    }

    @Override
    public byte[] readAll() throws IOException {
        return in().readAll();
    }

    @Override
    public byte[] readUntil(byte[] separator) throws IOException {
        return in().readUntil(separator);
    }

    @Override
    public @Nullable String readLine() throws IOException {
        return in().readLine();
    }

    @Override
    public int readLimit() {
        return reader.limit();
    }

    @Override
    public void readLimit(int bytes) {
        reader.limit(bytes);
    }

    @Override
    public int available() {
        return reader.available();
    }

    // Out

    private void checkOutput() throws IOException {
        io.check();
        checkFree();
        checkWritable();
        waits.checkOutput();
    }

    @Override
    public void write(ByteBuffer data) throws IOException {
        checkOutput();
        outgoing.write(data);
        waits.awaitAfterWrite();
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) throws IOException {
        checkOutput();
        if (!lines.isEmpty()) {
            outgoing.writeAll(lines);
        }
        waits.awaitAfterWrite();
    }

    @Override
    public void drain() throws IOException {
        waits.checkOpen();
        waits.awaitOutput(Output.LOW);
    }

    @Override
    public void flush() throws IOException {
        waits.checkOpen();
        waits.awaitOutput(Output.EMPTY);
    }

    @Override
    public long transferTo(Connection other) throws IOException {
        return Transfers.copy(io, this, other);
    }

    @Override
    public long sendFile(Path file, long position, long count) throws IOException {
        FileSend.check(position, count);
        checkOutput();
        waits.currentTask("sendFile");
        var sending = FileSend.begin(io, this, file, position, count);
        try {
            return Linear.await(sending);
        } catch (CancellationException cancelled) {
            sending.cancel();
            throw cancelled;
        } catch (ClosedChannelException closed) {
            waits.checkOpen();
            throw closed;
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        io.check();
        checkFree();
        waits.checkOpen();
        endWriting();
    }

    // Streams

    @Override
    public InputStream inputStream() {
        io.check();
        return new ConnectionInput(this, this::close);
    }

    @Override
    public OutputStream outputStream() {
        io.check();
        return new ConnectionOutput(this, this::close);
    }

    /** The number of its descriptor, for setting options. */
    int descriptor() {
        io.check();
        return stream.fileno();
    }

    /** Has the kernel drop at close what it has not delivered, and reset the connection. */
    void resetOnClose() {
        Tuning.resetOnClose(descriptor());
    }

    // TLS

    @Override
    public Connection startTls(Tls tls) throws IOException {
        io.check();
        checkFree();
        waits.checkNobodyWaits();
        waits.checkOpen();
        if (atEnd()) {
            throw new SSLHandshakeException("the peer has ended its side: there is no TLS handshake with it");
        }
        return TlsOpening.on(io, this, tls, outgoing.limits(), waits);
    }

    @Override
    public @Nullable TlsInfo tls() {
        io.checkLook();
        return above == null ? null : above.tls();
    }

    private void checkFree() {
        if (above != null) {
            throw TlsErrors.secured();
        }
    }

    @Override
    public void secure(TlsTransport tls, Protocol below) {
        checkFree();
        give(tls, below);
    }

    @Override
    public boolean isWritingPaused() {
        return outgoing.isPaused();
    }

    @Override
    public void carry(ByteBuffer records) {
        outgoing.write(records);
    }

    @Override
    public void hold() {
        stopReading();
    }

    @Override
    public void flow() {
        startReading();
    }

    @Override
    public void end() {
        super.closeGracefully();
    }

    @Override
    public @Nullable Object extraInfo(String name) {
        return switch (name) {
            case "sockname" -> local();
            case "peername" -> peer();
            default -> null;
        };
    }

    // The end

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
    public void close() {
        waits.closedHere(this::closeGracefully);
    }

    @Override
    public void abort() {
        waits.closedHere(() -> fail(null));
    }

    @Override
    public void reset() {
        waits.closedHere(this::closeWithReset);
    }

    @Override
    void lost(@Nullable Throwable cause) {
        super.lost(cause);
        gone.complete(null);
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        io.checkLook();
        // One for each caller: cancelling it is theirs alone.
        return gone.isDone() ? gone : gone.map(nothing -> null);
    }

    @Override
    public boolean isClosing() {
        io.checkLook();
        return isClosingNow() || above != null && above.isClosing();
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
    public boolean isIdle() {
        return above == null && isIdleNow();
    }

    @Override
    public void writeBufferLimits(WriteLimits limits) {
        io.check();
        outgoing.limits(limits);
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
    public String toString() {
        return "connection to " + describePeer() + (isDead() ? " [closed]" : isClosingNow() ? " [closing]" : "");
    }
}
