package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.ServerTls;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;

/** The handshakes of connections that a listener has accepted and nobody has got yet. */
final class TlsAccepting implements TlsTransport.Outcome {
    private final LoopIo io;
    private final ServerTls tls;
    private final WriteLimits limits;
    private final Consumer<LoopConnection> ready;
    private final Runnable over;
    private final Set<TlsTransport> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * The handshakes of a listener.
     *
     * @param ready gets what is done
     * @param over told when one has failed, so that another may begin
     */
    TlsAccepting(LoopIo io, ServerTls tls, WriteLimits limits, Consumer<LoopConnection> ready, Runnable over) {
        this.io = io;
        this.tls = tls;
        this.limits = limits;
        this.ready = ready;
        this.over = over;
    }

    void begin(UvStream stream) {
        underWay.add(TlsTransport.over(io, stream, tls, null, limits, this, this::gone, null));
    }

    private void gone(TlsTransport transport) {
        if (underWay.remove(transport)) {
            over.run();
        }
    }

    int count() {
        return underWay.size();
    }

    void abort() {
        new ArrayList<>(underWay).forEach(TlsTransport::abort);
    }

    @Override
    public void established(TlsTransport transport) {
        underWay.remove(transport);
        ready.accept(StreamConnection.on(io, transport));
    }

    @Override
    public void failed(IOException error) {
        TlsErrors.note(io.context(), error);
    }
}
