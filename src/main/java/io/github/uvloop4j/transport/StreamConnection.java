package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.TlsInfo;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.Tls;
import io.github.uvloop4j.transport.TaskWaits.Output;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection for tasks over any transport, as that of TLS. */
final class StreamConnection implements LoopConnection, TaskWaits.Stream {
    private final LoopIo io;
    private final Transport transport;
    private final TaskWaits waits;
    private final TaskReader reader;
    private final LoopFuture<@Nullable Void> gone;
    private WriteLimits limits;
    private boolean held;
    private boolean ended;
    private boolean writingPaused;
    private boolean writingEnded;
    private boolean dead;

    /** TLS over it was started, and has what comes. */
    private boolean secured;

    private StreamConnection(LoopIo io, Transport transport) {
        this.io = io;
        this.transport = transport;
        this.waits = new TaskWaits(io, this);
        this.reader = new TaskReader(io, waits);
        this.gone = new LoopFuture<>(io.context());
        this.limits = transport.writeBufferLimits();
    }

    /** The connection of a TLS transport whose handshake is over just now. */
    static StreamConnection on(LoopIo io, TlsTransport transport) {
        var connection = new StreamConnection(io, transport);
        transport.made(connection.new Face());
        return connection;
    }

    /** What the transport tells. */
    private final class Face implements Protocol {
        @Override
        public void dataReceived(ByteBuffer data) {
            arrived(data);
        }

        @Override
        public boolean eofReceived() {
            ended = true;
            waits.wakeReader(TaskWaits.END);
            return true;
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            dead = true;
            waits.failing(cause);
            gone.complete(null);
        }

        @Override
        public void pauseWriting() {
            writingPaused = true;
        }

        @Override
        public void resumeWriting() {
            writingPaused = false;
            if (isOutputEmpty()) {
                waits.allSent();
            }
            waits.wakeWriter();
        }
    }

    // In

    private void arrived(ByteBuffer data) {
        var target = waits.target();
        int count = 0;
        if (target != null) {
            count = Math.min(target.remaining(), data.remaining());
            target.put(target.position(), data, data.position(), count);
            data.position(data.position() + count);
        }
        if (data.hasRemaining() && reader.keep(data)) {
            held = true;
            transport.pauseReading();
        }
        waits.wakeReader(count);
    }

    @Override
    public void startReading() {
        if (held) {
            held = false;
            transport.resumeReading();
        }
    }

    private TaskReader in() {
        checkFree();
        return reader;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return in().read(target);
    }

    @Override
    public void readExactly(ByteBuffer target) throws IOException {
        in().readExactly(target);
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

    @Override
    public boolean atEnd() {
        return ended;
    }

    // Out

    private void checkFree() {
        if (secured) {
            throw TlsErrors.secured();
        }
    }

    private void checkOutput() throws IOException {
        io.check();
        checkFree();
        if (writingEnded) {
            throw new IllegalStateException("the writing side was ended before");
        }
        waits.checkOutput();
        if (transport.isClosing()) {
            throw new SocketException("the connection is closing: the peer has closed it, or it has failed");
        }
    }

    @Override
    public void write(ByteBuffer data) throws IOException {
        checkOutput();
        transport.write(data);
        waits.awaitAfterWrite();
    }

    @Override
    public void writeLines(List<ByteBuffer> lines) throws IOException {
        checkOutput();
        transport.writeLines(lines);
        waits.awaitAfterWrite();
    }

    @Override
    public boolean isOutputLow() {
        return !writingPaused;
    }

    @Override
    public boolean isOutputEmpty() {
        return transport.writeBufferSize() == 0;
    }

    @Override
    public void drain() throws IOException {
        waits.checkOpen();
        waits.awaitOutput(Output.LOW);
    }

    /** With marks of zero the transport says when nothing is left. */
    @Override
    public void flush() throws IOException {
        waits.checkOpen();
        if (isOutputEmpty()) {
            return;
        }
        transport.writeBufferLimits(new WriteLimits(0, 0));
        try {
            waits.awaitOutput(Output.EMPTY);
        } finally {
            if (!dead) {
                transport.writeBufferLimits(limits);
            }
        }
    }

    @Override
    public long transferTo(Connection target) throws IOException {
        return Transfers.copy(io, this, target);
    }

    @Override
    public long sendFile(Path file, long position, long count) throws IOException {
        FileSend.check(position, count);
        checkOutput();
        waits.currentTask("sendFile");
        return TlsFiles.copy(io, this, file, position, count);
    }

    @Override
    public void shutdownOutput() throws IOException {
        io.check();
        checkFree();
        waits.checkOpen();
        writingEnded = true;
        transport.writeEof();
    }

    @Override
    public void writeBufferLimits(WriteLimits value) {
        io.check();
        limits = value;
        transport.writeBufferLimits(value);
    }

    @Override
    public long writeBufferSize() {
        return transport.writeBufferSize();
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

    // TLS

    @Override
    public Connection startTls(Tls tls) throws IOException {
        io.check();
        checkFree();
        waits.checkNobodyWaits();
        waits.checkOpen();
        secured = true;
        try {
            var next = TlsOpening.on(io, TlsLower.of(transport), tls, limits, waits);
            next.gone.whenDone((nothing, error) -> gone.complete(null));
            return next;
        } catch (IOException | RuntimeException failed) {
            // What is wrong with the TLS is said before anything is done.
            secured = transport.isClosing();
            dead = secured;
            if (dead) {
                gone.complete(null);
            }
            throw failed;
        }
    }

    @Override
    public @Nullable TlsInfo tls() {
        io.checkLook();
        return transport.tls();
    }

    // The end

    @Override
    public void close() {
        waits.closedHere(transport::close);
    }

    @Override
    public void abort() {
        waits.closedHere(transport::abort);
    }

    @Override
    public void reset() {
        waits.closedHere(transport::reset);
    }

    @Override
    public boolean isDead() {
        return dead;
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        io.checkLook();
        // One for each caller: cancelling it is theirs alone.
        return gone.isDone() ? gone : gone.map(nothing -> null);
    }

    @Override
    public boolean isClosing() {
        return transport.isClosing();
    }

    @Override
    public boolean isIdle() {
        io.check();
        if (transport.isClosing() || ended || writingEnded || !waits.isQuiet() || !isOutputEmpty()) {
            return false;
        }
        startReading();
        return true;
    }

    @Override
    public void createdAt(@Nullable Throwable place) {
        // The transport knows it.
    }

    @Override
    public SocketAddress localAddress() {
        return transport.localAddress();
    }

    @Override
    public SocketAddress peerAddress() {
        return transport.peerAddress();
    }

    @Override
    public String toString() {
        return "connection of " + transport;
    }
}
