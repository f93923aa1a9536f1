package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.DatagramEndpoint;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.Endpoint;
import io.github.uvloop4j.net.RawSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes sockets of datagrams for protocols and tasks. */
final class DatagramNetwork {
    private final LoopIo io;

    DatagramNetwork(LoopIo io) {
        this.io = io;
    }

    /** The addresses to bind and to connect to, as far as they are wanted. */
    private record Ends(
            @Nullable List<InetSocketAddress> locals,
            @Nullable List<InetSocketAddress> remotes) {}

    private LoopFuture<Ends> resolve(DatagramOptions options) {
        io.check();
        if (options.localPort() < 0 && options.remotePort() < 0) {
            throw new IllegalArgumentException(
                    "say where to bind or where to connect: DatagramOptions.bound, connected");
        }
        var locals =
                options.localPort() < 0 ? null : HostAddresses.toBind(io, options.localHost(), options.localPort());
        var remotes = options.remotePort() < 0
                ? null
                : HostAddresses.toConnect(io, options.remoteHost(), options.remotePort(), null);
        if (locals == null) {
            return Objects.requireNonNull(remotes).map(found -> new Ends(null, found));
        }
        if (remotes == null) {
            return locals.map(found -> new Ends(wildcardLast(options, found), null));
        }
        return locals.compose(own -> remotes.map(theirs -> new Ends(own, theirs)));
    }

    /** One socket for both families, where there is IPv6. */
    private static List<InetSocketAddress> wildcardLast(DatagramOptions options, List<InetSocketAddress> found) {
        var host = options.localHost();
        return host == null || host.isEmpty() ? found.reversed() : found;
    }

    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> create(Supplier<P> factory, DatagramOptions options) {
        Objects.requireNonNull(factory, "protocol");
        var creation = place();
        var ends = resolve(options);
        var result = new LoopFuture<Endpoint<P>>(io.context());
        ends.whenDone((found, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else if (!result.isDone()) {
                Opening opening = () -> DatagramSockets.open(io, found.locals, found.remotes, options);
                complete(result, factory, opening, options, creation);
            }
        });
        return result;
    }

    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> create(
            Supplier<P> factory, RawSocket socket, DatagramOptions options) {
        io.check();
        Objects.requireNonNull(factory, "protocol");
        var result = new LoopFuture<Endpoint<P>>(io.context());
        complete(result, factory, () -> DatagramSockets.take(io, socket, options), options, place());
        return result;
    }

    private interface Opening {
        DatagramSockets.Opened open() throws IOException;
    }

    private <P extends DatagramProtocol> void complete(
            LoopFuture<Endpoint<P>> result,
            Supplier<P> factory,
            Opening opening,
            DatagramOptions options,
            @Nullable Throwable creation) {
        try {
            var opened = opening.open();
            P protocol;
            try {
                protocol = Objects.requireNonNull(factory.get(), "the factory returned null");
            } catch (Throwable error) {
                opened.socket().close();
                throw error;
            }
            var transport = new ProtocolDatagrams(io, opened, protocol, options.writeLimits()).started();
            transport.createdAt(creation);
            if (!result.complete(new Endpoint<>(transport, protocol))) {
                transport.abort();
            }
        } catch (Throwable error) {
            result.completeExceptionally(error);
        }
    }

    DatagramEndpoint open(DatagramOptions options) throws IOException {
        var ends = Linear.await(resolve(options));
        var opened = DatagramSockets.open(io, ends.locals, ends.remotes, options);
        return started(opened, options);
    }

    DatagramEndpoint open(RawSocket socket, DatagramOptions options) throws IOException {
        io.check();
        return started(DatagramSockets.take(io, socket, options), options);
    }

    private DatagramEndpoint started(DatagramSockets.Opened opened, DatagramOptions options) {
        var endpoint = new TaskDatagrams(io, opened, options.writeLimits()).started();
        endpoint.createdAt(place());
        return endpoint;
    }

    private @Nullable Throwable place() {
        return io.context().creation("datagram socket");
    }
}
