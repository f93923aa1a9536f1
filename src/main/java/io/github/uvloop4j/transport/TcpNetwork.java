package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.Throwables;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Connected;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.DatagramEndpoint;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.Endpoint;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.Network;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** Servers and connections over TCP. */
final class TcpNetwork implements Network {
    private final LoopIo io;
    private final DatagramNetwork datagrams;

    TcpNetwork(LoopIo io) {
        this.io = io;
        this.datagrams = new DatagramNetwork(io);
    }

    // Servers

    private TcpClients protocols(Supplier<? extends BaseProtocol> factory, ServerOptions options) {
        io.check();
        return new ProtocolClients(io, Objects.requireNonNull(factory, "protocol"), options.writeLimits());
    }

    private TcpClients tasks(ConnectionHandler handler, ServerOptions options) {
        io.check();
        return new TaskClients(io, Objects.requireNonNull(handler, "handler"), options.writeLimits());
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port, ServerOptions options) {
        return serve(protocols(protocol, options), host, port, options);
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, RawSocket socket, ServerOptions options) {
        return serve(protocols(protocol, options), socket, options);
    }

    @Override
    public LoopFuture<Server> createServer(Supplier<? extends BaseProtocol> protocol, ServerOptions options) {
        return serve(
                protocols(protocol, options), List.of(), options, io.context().creation("server"));
    }

    @Override
    public LoopFuture<Server> startServer(
            ConnectionHandler handler, @Nullable String host, int port, ServerOptions options) {
        return serve(tasks(handler, options), host, port, options);
    }

    @Override
    public LoopFuture<Server> startServer(ConnectionHandler handler, RawSocket socket, ServerOptions options) {
        return serve(tasks(handler, options), socket, options);
    }

    @Override
    public LoopFuture<Server> startServer(ConnectionHandler handler, ServerOptions options) {
        return serve(tasks(handler, options), List.of(), options, io.context().creation("server"));
    }

    private LoopFuture<Server> serve(TcpClients clients, @Nullable String host, int port, ServerOptions options) {
        var creation = io.context().creation("server");
        var addresses = HostAddresses.resolve(io, host, port);
        if (addresses.isDone() && !addresses.isCompletedExceptionally()) {
            return serve(clients, addresses, options, creation);
        }
        var result = new LoopFuture<Server>(io.context());
        addresses.whenDone((found, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else if (!result.isDone()) {
                completeWith(result, () -> serve(clients, addresses, options, creation));
            }
        });
        return result;
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

    private LoopFuture<Server> serve(
            TcpClients clients,
            LoopFuture<List<InetSocketAddress>> addresses,
            ServerOptions options,
            @Nullable Throwable creation) {
        try {
            return serve(clients, TcpListeners.bind(io, addresses.resultNow(), options), options, creation);
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    private LoopFuture<Server> serve(TcpClients clients, RawSocket socket, ServerOptions options) {
        try {
            return serve(
                    clients,
                    List.of(TcpListeners.take(io, socket)),
                    options,
                    io.context().creation("server"));
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    private LoopFuture<Server> serve(
            TcpClients clients, List<ListenSocket> listeners, ServerOptions options, @Nullable Throwable creation) {
        var server = new TcpServer(io, clients, options, listeners, creation);
        try {
            if (options.startServing()) {
                server.start();
            }
            return LoopFuture.completed(io.context(), server);
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    @Override
    public Listener listen(@Nullable String host, int port, ServerOptions options) throws IOException {
        io.check();
        var addresses = HostAddresses.resolve(io, host, port);
        return listen(TcpListeners.bind(io, linear(addresses), options), options);
    }

    @Override
    public Listener listen(RawSocket socket, ServerOptions options) throws IOException {
        io.check();
        Objects.requireNonNull(options, "options");
        return listen(List.of(TcpListeners.take(io, socket)), options);
    }

    private Listener listen(List<ListenSocket> listeners, ServerOptions options) throws IOException {
        var listener = new TaskListener(io, options, listeners);
        listener.start();
        return listener;
    }

    /** Waits in a task for a future of ours, which fails with IOException only. */
    static <T> T linear(LoopFuture<T> future) throws IOException {
        try {
            return future.await();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw Throwables.<RuntimeException>sneak(e);
        }
    }

    // Clients

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, String host, int port, ConnectOptions options) {
        io.check();
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(host, "host");
        return new Connecting<P>(io, protocol, options.writeLimits())
                .begin(HostAddresses.resolve(io, host, port), options);
    }

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, RawSocket socket, ConnectOptions options) {
        io.check();
        Objects.requireNonNull(protocol, "protocol");
        try {
            var tcp = TakenSockets.connected(io, socket, options.noDelay(), options.keepAliveSeconds());
            var future = new Connecting<P>(io, protocol, options.writeLimits());
            future.connected(tcp);
            return future;
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    /** The future of a protocol's connection; cancelling it gives up whatever is under way. */
    private static final class Connecting<P extends BaseProtocol> extends LoopFuture<Connected<P>> {
        private final LoopIo io;
        private final Supplier<P> factory;
        private final WriteLimits limits;
        private final @Nullable Throwable creation;
        private volatile @Nullable LoopFuture<?> underWay;

        Connecting(LoopIo io, Supplier<P> factory, WriteLimits limits) {
            super(io.context());
            this.io = io;
            this.factory = factory;
            this.limits = limits;
            this.creation = io.context().creation("connection");
        }

        Connecting<P> begin(LoopFuture<List<InetSocketAddress>> addresses, ConnectOptions options) {
            underWay = addresses;
            addresses.whenDone((found, error) -> {
                if (error != null) {
                    completeExceptionally(error);
                } else if (!isDone()) {
                    connect(found, options);
                }
            });
            return this;
        }

        private void connect(List<InetSocketAddress> addresses, ConnectOptions options) {
            var attempt = new ConnectAttempt(io, addresses, options).begin();
            underWay = attempt;
            attempt.whenDone((tcp, error) -> {
                if (error != null) {
                    completeExceptionally(error);
                } else {
                    connected(tcp);
                }
            });
        }

        void connected(UvTcp tcp) {
            if (isDone()) {
                tcp.close();
                return;
            }
            P protocol;
            try {
                protocol = Objects.requireNonNull(factory.get(), "the factory returned null");
            } catch (Throwable error) {
                tcp.close();
                completeExceptionally(error);
                return;
            }
            var transport = new ProtocolTransport(io, tcp, protocol, limits, null);
            transport.createdAt(creation);
            transport.start(false);
            if (!complete(new Connected<>(transport, protocol))) {
                transport.abort();
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            var work = underWay;
            if (cancelled && work != null) {
                work.cancel();
            }
            return cancelled;
        }
    }

    @Override
    public Connection openConnection(String host, int port, ConnectOptions options) throws IOException {
        io.check();
        Objects.requireNonNull(host, "host");
        if (io.context().currentTask() == null) {
            throw new IllegalStateException("openConnection would stop the loop: call it in a task (loop.spawn)");
        }
        var addresses = linear(HostAddresses.resolve(io, host, port));
        var attempt = new ConnectAttempt(io, addresses, options).begin();
        UvTcp tcp;
        try {
            tcp = linear(attempt);
            Task.checkCancelled();
        } catch (RuntimeException cancelled) {
            attempt.cancel();
            // It may have connected in the very turn of the cancel: nobody else would close it.
            attempt.whenDone((late, error) -> {
                if (error == null) {
                    late.close();
                }
            });
            throw cancelled;
        }
        return opened(tcp, options.writeLimits());
    }

    @Override
    public Connection openConnection(RawSocket socket) throws IOException {
        io.check();
        var options = ConnectOptions.defaults();
        var tcp = TakenSockets.connected(io, socket, options.noDelay(), options.keepAliveSeconds());
        return opened(tcp, WriteLimits.DEFAULT);
    }

    private Connection opened(UvTcp tcp, WriteLimits limits) {
        var connection = new TaskConnection(io, tcp, limits, null);
        connection.createdAt(io.context().creation("connection"));
        return connection.started(false);
    }

    @Override
    public SocketFactory socketFactory() {
        return new LoopSocketFactory(io);
    }

    // Datagrams

    @Override
    public <P extends DatagramProtocol> LoopFuture<Endpoint<P>> createDatagramEndpoint(
            Supplier<P> protocol, DatagramOptions options) {
        return datagrams.create(protocol, options);
    }

    @Override
    public <P extends DatagramProtocol> LoopFuture<Endpoint<P>> createDatagramEndpoint(
            Supplier<P> protocol, RawSocket socket, DatagramOptions options) {
        return datagrams.create(protocol, socket, options);
    }

    @Override
    public DatagramEndpoint openDatagramEndpoint(DatagramOptions options) throws IOException {
        return datagrams.open(options);
    }

    @Override
    public DatagramEndpoint openDatagramEndpoint(RawSocket socket, DatagramOptions options) throws IOException {
        return datagrams.open(socket, options);
    }
}
