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
        if (options.localPort() < 0) {
            return remotes(options, null);
        }
        var locals = HostAddresses.toBind(io, options.localHost(), options.localPort());
        if (options.remotePort() < 0) {
            return locals.map(found -> new Ends(wildcardLast(options, found), null));
        }
        return new Chained<>(io, locals, found -> remotes(options, found), unwanted -> {});
    }

    private LoopFuture<Ends> remotes(DatagramOptions options, @Nullable List<InetSocketAddress> locals) {
        return new Chained<>(
                io,
                HostAddresses.toConnect(io, options.remoteHost(), options.remotePort(), null),
                found -> LoopFuture.completed(io.context(), new Ends(locals, found)),
                unwanted -> {});
    }

    /** One socket for both families, where there is IPv6. */
    private static List<InetSocketAddress> wildcardLast(DatagramOptions options, List<InetSocketAddress> found) {
        var host = options.localHost();
        return host == null || host.isEmpty() ? found.reversed() : found;
    }

    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> create(Supplier<P> factory, DatagramOptions options) {
        Objects.requireNonNull(factory, "protocol");
        var creation = place();
        return new Chained<>(
                io,
                resolve(options),
                found -> made(
                        factory,
                        () -> DatagramSockets.open(io, found.locals, found.remotes, options),
                        options,
                        creation),
                unwanted -> unwanted.transport().abort());
    }

    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> create(
            Supplier<P> factory, RawSocket socket, DatagramOptions options) {
        io.check();
        Objects.requireNonNull(factory, "protocol");
        return made(factory, () -> DatagramSockets.take(io, socket, options), options, place());
    }

    private interface Opening {
        DatagramSockets.Opened open() throws IOException;
    }

    private <P extends DatagramProtocol> LoopFuture<Endpoint<P>> made(
            Supplier<P> factory, Opening opening, DatagramOptions options, @Nullable Throwable creation) {
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
            return LoopFuture.completed(io.context(), new Endpoint<>(transport, protocol));
        } catch (Throwable error) {
            return LoopFuture.failed(io.context(), error);
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
