package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.ServerTls;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections that get a protocol each. */
record ProtocolClients(
        LoopIo io,
        Supplier<? extends BaseProtocol> factory,
        WriteLimits limits,
        @Nullable ServerTls tls) implements StreamClients, TlsTransport.Outcome {
    @Override
    public @Nullable Client serve(UvStream stream, long number, Consumer<Client> gone, @Nullable Throwable creation) {
        if (tls != null) {
            return TlsTransport.over(io, stream, tls, null, limits, this, gone, creation);
        }
        var protocol = make();
        if (protocol == null) {
            stream.close();
            return null;
        }
        var transport = new ProtocolTransport(io, stream, protocol, limits, gone::accept);
        transport.createdAt(creation);
        transport.start(true);
        return transport;
    }

    private @Nullable BaseProtocol make() {
        try {
            return Objects.requireNonNull(factory.get(), "the factory returned null");
        } catch (Throwable error) {
            io.context().report("the protocol factory failed", error, factory);
            return null;
        }
    }

    @Override
    public void established(TlsTransport transport) {
        var protocol = make();
        if (protocol == null) {
            transport.abort();
        } else {
            transport.made(protocol);
        }
    }

    @Override
    public void failed(IOException error) {
        TlsErrors.note(io.context(), error);
    }
}
