package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes servers and listeners. Loop thread only. */
record Serving(LoopIo io) {
    private @Nullable Throwable creation() {
        return io.context().creation("server");
    }

    LoopFuture<Server> serve(StreamClients clients, ServerOptions options) {
        return serve(clients, List.of(), options, creation());
    }

    LoopFuture<Server> serve(StreamClients clients, RawSocket socket, ServerOptions options) {
        return made(() -> List.of(ListenSockets.take(io, socket)), clients, options, creation());
    }

    LoopFuture<Server> serve(StreamClients clients, SocketAddress address, ServerOptions options) {
        Objects.requireNonNull(address, "address");
        if (address instanceof InetSocketAddress internet && internet.isUnresolved()) {
            return serve(clients, internet.getHostString(), internet.getPort(), options);
        }
        return made(() -> ListenSockets.bind(io, address, options), clients, options, creation());
    }

    LoopFuture<Server> serve(StreamClients clients, @Nullable String host, int port, ServerOptions options) {
        return serve(clients, HostAddresses.toBind(io, host, port), options);
    }

    LoopFuture<Server> serve(StreamClients clients, List<String> hosts, int port, ServerOptions options) {
        return serve(clients, HostAddresses.toBind(io, hosts, port), options);
    }

    private LoopFuture<Server> serve(
            StreamClients clients, LoopFuture<List<InetSocketAddress>> addresses, ServerOptions options) {
        var creation = creation();
        if (addresses.isDone() && !addresses.isCompletedExceptionally()) {
            return bound(addresses.resultNow(), clients, options, creation);
        }
        return new Chained<>(io, addresses, found -> bound(found, clients, options, creation), Server::close);
    }

    private LoopFuture<Server> bound(
            List<InetSocketAddress> addresses,
            StreamClients clients,
            ServerOptions options,
            @Nullable Throwable creation) {
        return made(() -> ListenSockets.bind(io, wanted(addresses, options), options), clients, options, creation);
    }

    /** Where one socket takes both families, the other that is bound to every interface would be in its way. */
    private static List<InetSocketAddress> wanted(List<InetSocketAddress> addresses, ServerOptions options) {
        boolean both = options.dualStack() && addresses.stream().anyMatch(Serving::isEveryV6);
        return both ? addresses.stream().filter(address -> !isEveryV4(address)).toList() : addresses;
    }

    private static boolean isEveryV6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ip && ip.isAnyLocalAddress();
    }

    private static boolean isEveryV4(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ip && ip.isAnyLocalAddress();
    }

    /** Makes the sockets that are to listen. */
    private interface Sockets {
        List<ListenSocket> make() throws IOException;
    }

    private LoopFuture<Server> made(
            Sockets sockets, StreamClients clients, ServerOptions options, @Nullable Throwable creation) {
        try {
            return serve(clients, sockets.make(), options, creation);
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    private LoopFuture<Server> serve(
            StreamClients clients, List<ListenSocket> listeners, ServerOptions options, @Nullable Throwable creation) {
        var server = new StreamServer(io, clients, options, listeners, creation);
        try {
            if (options.startServing()) {
                server.start();
            }
            return LoopFuture.completed(io.context(), server);
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    // For tasks that accept

    Listener listen(@Nullable String host, int port, ServerOptions options) throws IOException {
        var addresses = HostAddresses.toBind(io, host, port);
        return listen(ListenSockets.bind(io, wanted(Linear.await(addresses), options), options), options);
    }

    Listener listen(List<String> hosts, int port, ServerOptions options) throws IOException {
        var addresses = HostAddresses.toBind(io, hosts, port);
        return listen(ListenSockets.bind(io, wanted(Linear.await(addresses), options), options), options);
    }

    Listener listen(SocketAddress address, ServerOptions options) throws IOException {
        if (address instanceof InetSocketAddress internet && internet.isUnresolved()) {
            return listen(internet.getHostString(), internet.getPort(), options);
        }
        return listen(ListenSockets.bind(io, address, options), options);
    }

    Listener listen(RawSocket socket, ServerOptions options) throws IOException {
        return listen(List.of(ListenSockets.take(io, socket)), options);
    }

    private Listener listen(List<ListenSocket> listeners, ServerOptions options) throws IOException {
        var listener = new TaskListener(io, options, listeners);
        listener.start();
        return listener;
    }
}
