package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.tls.Tls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** TLS on a transport that is in use already: done with its handshake. Cancelling it aborts the connection. */
final class TlsStart extends LoopFuture<Transport> implements TlsTransport.Outcome {
    private volatile @Nullable TlsTransport secured;

    private TlsStart(LoopIo io) {
        super(io.context());
    }

    static LoopFuture<Transport> on(LoopIo io, Transport transport, Tls tls) {
        io.check();
        if (transport.isClosing()) {
            return LoopFuture.failed(io.context(), new ClosedChannelException());
        }
        var future = new TlsStart(io);
        var secured = new TlsTransport(io, TlsLower.of(transport), tls, transport.writeBufferLimits(), future);
        secured.attach(transport.protocol());
        future.secured = secured;
        secured.begin(ByteBuffer.allocate(0));
        return future;
    }

    @Override
    public void established(TlsTransport transport) {
        complete(transport);
    }

    @Override
    public void failed(IOException error) {
        completeExceptionally(error);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        var transport = secured;
        if (cancelled && transport != null) {
            transport.abortFromAnywhere();
        }
        return cancelled;
    }
}
