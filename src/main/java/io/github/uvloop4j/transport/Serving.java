package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
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
        var creation = creation();
        var addresses = HostAddresses.toBind(io, host, port);
        if (addresses.isDone() && !addresses.isCompletedExceptionally()) {
            return bound(addresses, clients, options, creation);
        }
        var result = new LoopFuture<Server>(io.context());
        addresses.whenDone((found, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else if (!result.isDone()) {
                completeWith(result, () -> bound(addresses, clients, options, creation));
            }
        });
        return result;
    }

    private LoopFuture<Server> bound(
            LoopFuture<List<InetSocketAddress>> addresses,
            StreamClients clients,
            ServerOptions options,
            @Nullable Throwable creation) {
        return made(() -> ListenSockets.bind(io, addresses.resultNow(), options), clients, options, creation);
    }

    /** Nobody has a server whose future was cancelled meanwhile: it is closed. */
    private static void completeWith(LoopFuture<Server> result, Supplier<LoopFuture<Server>> making) {
        try {
            making.get().whenDone((server, error) -> {
                if (error != null) {
                    result.completeExceptionally(error);
                } else if (!result.complete(server)) {
                    server.close();
                }
            });
        } catch (RuntimeException error) {
            result.completeExceptionally(error);
        }
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
        return listen(ListenSockets.bind(io, Linear.await(addresses), options), options);
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
