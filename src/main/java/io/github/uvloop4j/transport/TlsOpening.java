package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.Tls;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A task's wait for a handshake. */
final class TlsOpening extends LoopFuture<StreamConnection> implements TlsTransport.Outcome {
    private final LoopIo io;
    private final @Nullable Throwable creation;

    private TlsOpening(LoopIo io) {
        super(io.context());
        this.io = io;
        this.creation = io.context().creation("connection");
    }

    /** Connects: TLS on a new connection. */
    static StreamConnection over(LoopIo io, UvStream stream, ClientTls tls, @Nullable String host, WriteLimits limits)
            throws IOException {
        var opening = new TlsOpening(io);
        return opening.await(TlsTransport.over(io, stream, tls, host, limits, opening, null, opening.creation));
    }

    /** TLS on a connection that is in use, of which some bytes were read ahead. */
    static StreamConnection on(LoopIo io, TlsLower lower, Tls tls, WriteLimits limits, TaskWaits before)
            throws IOException {
        if (io.context().currentTask() == null) {
            throw new IllegalStateException("startTls would stop the loop: call it in a task (loop.spawn)");
        }
        var opening = new TlsOpening(io);
        var secured = new TlsTransport(io, lower, tls, limits, opening);
        secured.attach(null);
        secured.begin(before.takePending());
        return opening.await(secured);
    }

    private StreamConnection await(TlsTransport secured) throws IOException {
        try {
            var connection = Linear.await(this);
            Task.checkCancelled();
            return connection;
        } catch (RuntimeException cancelled) {
            secured.abort();
            throw cancelled;
        }
    }

    @Override
    public void established(TlsTransport transport) {
        complete(StreamConnection.on(io, transport));
    }

    @Override
    public void failed(IOException error) {
        completeExceptionally(error);
    }
}
