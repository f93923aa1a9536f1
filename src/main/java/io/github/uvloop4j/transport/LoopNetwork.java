package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.dns.AddrInfo;
import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.NameInfo;
import io.github.uvloop4j.dns.NameInfoFlag;
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
import io.github.uvloop4j.net.RawPipe;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** The network of a loop: who serves, who connects, and datagrams. */
final class LoopNetwork implements Network {
    private final LoopIo io;
    private final Serving serving;
    private final Connecting connecting;
    private final PipeNetwork pipes;
    private final DatagramNetwork datagrams;

    LoopNetwork(LoopIo io) {
        this.io = io;
        this.serving = new Serving(io);
        this.connecting = new Connecting(io);
        this.pipes = new PipeNetwork(io);
        this.datagrams = new DatagramNetwork(io);
    }

    // Servers

    private StreamClients protocols(Supplier<? extends BaseProtocol> factory, ServerOptions options) {
        io.check();
        return new ProtocolClients(
                io, Objects.requireNonNull(factory, "protocol"), options.writeLimits(), options.tls());
    }

    private StreamClients tasks(ConnectionHandler handler, ServerOptions options) {
        io.check();
        return new TaskClients(io, Objects.requireNonNull(handler, "handler"), options.writeLimits(), options.tls());
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port, ServerOptions options) {
        return serving.serve(protocols(protocol, options), host, port, options);
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, List<String> hosts, int port, ServerOptions options) {
        return serving.serve(protocols(protocol, options), hosts, port, options);
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, SocketAddress address, ServerOptions options) {
        return serving.serve(protocols(protocol, options), address, options);
    }

    @Override
    public LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, RawSocket socket, ServerOptions options) {
        return serving.serve(protocols(protocol, options), socket, options);
    }

    @Override
    public LoopFuture<Server> createServer(Supplier<? extends BaseProtocol> protocol, ServerOptions options) {
        return serving.serve(protocols(protocol, options), options);
    }

    @Override
    public LoopFuture<Server> startServer(
            ConnectionHandler handler, @Nullable String host, int port, ServerOptions options) {
        return serving.serve(tasks(handler, options), host, port, options);
    }

    @Override
    public LoopFuture<Server> startServer(
            ConnectionHandler handler, List<String> hosts, int port, ServerOptions options) {
        return serving.serve(tasks(handler, options), hosts, port, options);
    }

    @Override
    public LoopFuture<Server> startServer(ConnectionHandler handler, SocketAddress address, ServerOptions options) {
        return serving.serve(tasks(handler, options), address, options);
    }

    @Override
    public LoopFuture<Server> startServer(ConnectionHandler handler, RawSocket socket, ServerOptions options) {
        return serving.serve(tasks(handler, options), socket, options);
    }

    @Override
    public LoopFuture<Server> startServer(ConnectionHandler handler, ServerOptions options) {
        return serving.serve(tasks(handler, options), options);
    }

    @Override
    public Listener listen(@Nullable String host, int port, ServerOptions options) throws IOException {
        io.check();
        return serving.listen(host, port, Objects.requireNonNull(options, "options"));
    }

    @Override
    public Listener listen(List<String> hosts, int port, ServerOptions options) throws IOException {
        io.check();
        return serving.listen(hosts, port, Objects.requireNonNull(options, "options"));
    }

    @Override
    public Listener listen(SocketAddress address, ServerOptions options) throws IOException {
        io.check();
        return serving.listen(address, Objects.requireNonNull(options, "options"));
    }

    @Override
    public Listener listen(RawSocket socket, ServerOptions options) throws IOException {
        io.check();
        return serving.listen(socket, Objects.requireNonNull(options, "options"));
    }

    // Clients

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, String host, int port, ConnectOptions options) {
        io.check();
        return connecting.connect(protocol, Objects.requireNonNull(host, "host"), port, options);
    }

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, SocketAddress address, ConnectOptions options) {
        io.check();
        return connecting.connect(protocol, address, options);
    }

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, RawSocket socket, ConnectOptions options) {
        io.check();
        return connecting.connect(Objects.requireNonNull(protocol, "protocol"), socket, options);
    }

    @Override
    public Connection openConnection(String host, int port, ConnectOptions options) throws IOException {
        io.check();
        return connecting.open(Objects.requireNonNull(host, "host"), port, options);
    }

    @Override
    public Connection openConnection(SocketAddress address, ConnectOptions options) throws IOException {
        io.check();
        return connecting.open(address, options);
    }

    @Override
    public Connection openConnection(RawSocket socket, ConnectOptions options) throws IOException {
        io.check();
        return connecting.open(socket, options);
    }

    // Pipes

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> connectReadPipe(Supplier<P> protocol, RawPipe pipe) {
        return pipes.connect(protocol, pipe, true);
    }

    @Override
    public <P extends BaseProtocol> LoopFuture<Connected<P>> connectWritePipe(Supplier<P> protocol, RawPipe pipe) {
        return pipes.connect(protocol, pipe, false);
    }

    @Override
    public Connection openReadPipe(RawPipe pipe) throws IOException {
        return pipes.open(pipe, true);
    }

    @Override
    public Connection openWritePipe(RawPipe pipe) throws IOException {
        return pipes.open(pipe, false);
    }

    @Override
    public LoopFuture<Long> sendFile(Transport transport, Path file, long position, long count) {
        io.check();
        FileSend.check(position, count);
        return transport instanceof TlsTransport secured
                ? secured.sendFile(file, position, count)
                : ((ProtocolTransport) transport).sendFile(file, position, count);
    }

    @Override
    public SocketFactory socketFactory() {
        return new LoopSocketFactory(io);
    }

    @Override
    public LoopFuture<Transport> startTls(Transport transport, Tls tls) {
        io.check();
        return TlsStart.on(io, transport, tls);
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

    // Names

    @Override
    public LoopFuture<List<AddrInfo>> getAddrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return NameQueries.addrInfo(io, host, service, hints);
    }

    @Override
    public LoopFuture<NameInfo> getNameInfo(InetSocketAddress address, NameInfoFlag... flags) {
        return NameQueries.nameInfo(io, address, flags);
    }
}
