package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvStream;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections that get a protocol each. */
record ProtocolClients(LoopIo io, Supplier<? extends BaseProtocol> factory, WriteLimits limits)
        implements StreamClients {
    @Override
    public @Nullable Client serve(UvStream stream, long number, Consumer<Client> gone, @Nullable Throwable creation) {
        BaseProtocol protocol;
        try {
            protocol = Objects.requireNonNull(factory.get(), "the factory returned null");
        } catch (Throwable error) {
            stream.close();
            io.context().report("the protocol factory failed", error, factory);
            return null;
        }
        var transport = new ProtocolTransport(io, stream, protocol, limits, gone::accept);
        transport.createdAt(creation);
        transport.start(true);
        return transport;
    }
}
