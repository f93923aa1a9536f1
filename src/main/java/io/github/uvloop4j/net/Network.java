package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.dns.AddrInfo;
import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.NameInfo;
import io.github.uvloop4j.dns.NameInfoFlag;
import io.github.uvloop4j.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Servers and connections over TCP and Unix sockets, and sockets of datagrams. A host is an address or a name; a
 * name is looked up by the loop's {@link io.github.uvloop4j.dns.Resolver}. A socket address is an
 * {@link java.net.InetSocketAddress}, which is looked up when it is unresolved, or that of a Unix socket: a {@link java.net.UnixDomainSocketAddress} for a path of at most 107 bytes, an
 * {@link AbstractAddress} for an abstract name. Where an address is of another kind, an IllegalArgumentException says so.
 * Loop thread only.
 */
public interface Network {
    /**
     * Makes a server whose connections get a protocol each. Fails with BindException when the address is in use or not
     * ours.
     *
     * @param host an address, a name (all its addresses are listened on), or null for all interfaces
     * @param port 0 to 65535; 0 for one that the kernel chooses
     */
    LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port, ServerOptions options);

    /** A server with the default options. */
    default LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port) {
        return createServer(protocol, host, port, ServerOptions.defaults());
    }

    /**
     * A server on all addresses of several hosts, one at least; with port 0 all get the port of the first. Fails if one of
     * them cannot be looked up or bound.
     */
    LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, List<String> hosts, int port, ServerOptions options);

    /**
     * Makes a server at an internet or Unix address. A Unix socket listens from the start, so that clients wait rather
     * than fail until it serves. A file at its path is replaced only when it is a socket that nobody listens on; two
     * servers that start together at a path do not disturb each other. Close removes the file again, if it is still the
     * same.
     */
    LoopFuture<Server> createServer(
            Supplier<? extends BaseProtocol> protocol, SocketAddress address, ServerOptions options);

    /** A server at an internet or Unix address with the default options. */
    default LoopFuture<Server> createServer(Supplier<? extends BaseProtocol> protocol, SocketAddress address) {
        return createServer(protocol, address, ServerOptions.defaults());
    }

    /** Serves a stream socket that listens, or is bound, already; the server owns the descriptor from now on. */
    LoopFuture<Server> createServer(Supplier<? extends BaseProtocol> protocol, RawSocket socket, ServerOptions options);

    /** A server without a listening socket, for connections that {@link Server#adopt} brings; serves until closed. */
    LoopFuture<Server> createServer(Supplier<? extends BaseProtocol> protocol, ServerOptions options);

    /**
     * Makes a server whose connections get a task each, named {@code connection-1} and so on, that runs the handler.
     * Parameters and errors as for createServer.
     */
    LoopFuture<Server> startServer(ConnectionHandler handler, @Nullable String host, int port, ServerOptions options);

    /** A server of tasks with the default options. */
    default LoopFuture<Server> startServer(ConnectionHandler handler, @Nullable String host, int port) {
        return startServer(handler, host, port, ServerOptions.defaults());
    }

    /** As {@link #createServer(Supplier, List, int, ServerOptions)}, with a task for each connection. */
    LoopFuture<Server> startServer(ConnectionHandler handler, List<String> hosts, int port, ServerOptions options);

    /** As {@link #createServer(Supplier, SocketAddress, ServerOptions)}, with a task for each connection. */
    LoopFuture<Server> startServer(ConnectionHandler handler, SocketAddress address, ServerOptions options);

    /** A server of tasks at an internet or Unix address with the default options. */
    default LoopFuture<Server> startServer(ConnectionHandler handler, SocketAddress address) {
        return startServer(handler, address, ServerOptions.defaults());
    }

    /** As {@link #createServer(Supplier, RawSocket, ServerOptions)}, with a task for each connection. */
    LoopFuture<Server> startServer(ConnectionHandler handler, RawSocket socket, ServerOptions options);

    /** As {@link #createServer(Supplier, ServerOptions)}, with a task for each connection. */
    LoopFuture<Server> startServer(ConnectionHandler handler, ServerOptions options);

    /**
     * Connects a protocol. Of a name that has addresses of both families, those of IPv6 and of IPv4 are tried in turns:
     * the next when one has failed, and beside it when it has not answered for {@code attemptDelay}; the first that
     * connects wins. When all fail, the exception is of the kind of the first failure, which it names, and has those of
     * the others as suppressed. Cancelling the future gives up.
     */
    <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, String host, int port, ConnectOptions options);

    /** Connects a protocol with the default options. */
    default <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, String host, int port) {
        return createConnection(protocol, host, port, ConnectOptions.defaults());
    }

    /**
     * Connects a protocol to an internet or Unix address. While the backlog of a Unix server is full it is tried again
     * until the options' timeout.
     *
     * <p>With TLS the host name that is verified is the one that the address was made with, or its literal. After a
     * reverse look-up of its InetAddress that is what the look-up found: give the name to
     * {@link io.github.uvloop4j.tls.ClientTls#serverName}, or an unresolved address, where that may happen.
     */
    <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, SocketAddress address, ConnectOptions options);

    /** Connects a protocol to an internet or Unix address with the default options. */
    default <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, SocketAddress address) {
        return createConnection(protocol, address, ConnectOptions.defaults());
    }

    /** Gives a connected stream socket to a protocol; the transport owns the descriptor from now on. */
    <P extends BaseProtocol> LoopFuture<Connected<P>> createConnection(
            Supplier<P> protocol, RawSocket socket, ConnectOptions options);

    /** {@link #createConnection(Supplier, RawSocket, ConnectOptions)} for a connection that was accepted elsewhere. */
    default <P extends BaseProtocol> LoopFuture<Connected<P>> connectAcceptedSocket(
            Supplier<P> protocol, RawSocket socket) {
        return createConnection(protocol, socket, ConnectOptions.defaults());
    }

    /** Listens, for tasks that accept. Parameters and errors as for createServer. Parks for a name only. */
    Listener listen(@Nullable String host, int port, ServerOptions options) throws IOException;

    /** Listens with the default options. */
    default Listener listen(@Nullable String host, int port) throws IOException {
        return listen(host, port, ServerOptions.defaults());
    }

    /** Listens on all addresses of several hosts, for tasks that accept. Parameters and errors as for createServer. */
    Listener listen(List<String> hosts, int port, ServerOptions options) throws IOException;

    /** Listens at an internet or Unix address, as {@link #createServer(Supplier, SocketAddress, ServerOptions)} does. */
    Listener listen(SocketAddress address, ServerOptions options) throws IOException;

    /** Listens at an internet or Unix address with the default options. */
    default Listener listen(SocketAddress address) throws IOException {
        return listen(address, ServerOptions.defaults());
    }

    /** Listens with a stream socket that listens, or is bound, already; the listener owns the descriptor from now on. */
    Listener listen(RawSocket socket, ServerOptions options) throws IOException;

    /** Connects, for tasks: parks until the connection is there. Errors as for createConnection. */
    Connection openConnection(String host, int port, ConnectOptions options) throws IOException;

    /** Connects with the default options. */
    default Connection openConnection(String host, int port) throws IOException {
        return openConnection(host, port, ConnectOptions.defaults());
    }

    /** Connects to an internet or Unix address, for tasks. Errors as for createConnection. */
    Connection openConnection(SocketAddress address, ConnectOptions options) throws IOException;

    /** Connects to an internet or Unix address with the default options. */
    default Connection openConnection(SocketAddress address) throws IOException {
        return openConnection(address, ConnectOptions.defaults());
    }

    /** Takes a connected stream socket over for tasks; the connection owns the descriptor from now on. */
    Connection openConnection(RawSocket socket, ConnectOptions options) throws IOException;

    /** Takes a connected stream socket over with the default options. */
    default Connection openConnection(RawSocket socket) throws IOException {
        return openConnection(socket, ConnectOptions.defaults());
    }

    // Pipes

    /**
     * Gives the reading of a pipe to a protocol; the transport owns the descriptor from now on. The other end's close,
     * also of a terminal, is the end of file. Writing throws UnsupportedOperationException.
     *
     * @throws IllegalArgumentException when the pipe was not opened to read; it stays open
     */
    <P extends BaseProtocol> LoopFuture<Connected<P>> connectReadPipe(Supplier<P> protocol, RawPipe pipe);

    /**
     * Gives the writing to a pipe to a protocol; the transport owns the descriptor from now on. It reads nothing, but
     * notices when the reader has gone: connectionLost is told null when nothing waited to be sent, else an IOException.
     * {@link Transport#writeEof} closes it once all has gone out.
     *
     * @throws IllegalArgumentException when the pipe was not opened to write; it stays open
     */
    <P extends BaseProtocol> LoopFuture<Connected<P>> connectWritePipe(Supplier<P> protocol, RawPipe pipe);

    /** Takes a pipe over for tasks to read; as for {@link #connectReadPipe}. */
    Connection openReadPipe(RawPipe pipe) throws IOException;

    /**
     * Takes a pipe over for tasks to write; as for {@link #connectWritePipe}. When the reader has gone, writing throws
     * an IOException.
     */
    Connection openWritePipe(RawPipe pipe) throws IOException;

    /**
     * Sends a regular file from a position on over a protocol's connection, in the kernel (under TLS read in pieces), once what was written before
     * has gone out; what is written meanwhile is sent after it. Fails as {@link Connection#sendFile} does, and when the
     * connection ends before. Cancelling the future stops it in the middle of the file.
     *
     * @throws IllegalStateException when a file is being sent on this connection already, or its writing side was ended
     */
    LoopFuture<Long> sendFile(Transport transport, Path file, long position, long count);

    /**
     * A factory of sockets of the JDK's kind whose connections are this loop's, for libraries that take one. They are for
     * tasks of the loop, which they park, also where tasks do not ride on the loop thread. Any thread may have the factory.
     */
    SocketFactory socketFactory();

    /**
     * Starts TLS on a connection that is in use. The future is done when the handshake is: with the transport to go on
     * with, which has the same protocol; that is not told of a connection again, and what the peer writes reaches it once
     * those who wait for the future were told. The old transport can only be closed from now on. What has arrived and was
     * not given to the protocol belongs to TLS. Fails as the handshake does; the connection is gone then, and the
     * protocol is told nothing. Cancelling the future aborts the connection.
     *
     * @throws IllegalArgumentException when a client must verify a name and knows none: set {@code serverName} then
     * @throws IllegalStateException when TLS was started on it before
     */
    LoopFuture<Transport> startTls(Transport transport, Tls tls);

    // Datagrams

    /**
     * Makes a socket of datagrams for a protocol. Names are looked up; of the addresses the first pair of one family
     * serves. Fails with BindException when the address is in use or not ours.
     *
     * @throws IllegalArgumentException when the options say neither where to bind nor where to connect
     */
    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> createDatagramEndpoint(
            Supplier<P> protocol, DatagramOptions options);

    /**
     * Gives a socket of datagrams, an internet or Unix one, to a protocol; the transport owns the descriptor from now
     * on. Of the options only batch and the sizes count.
     */
    <P extends DatagramProtocol> LoopFuture<Endpoint<P>> createDatagramEndpoint(
            Supplier<P> protocol, RawSocket socket, DatagramOptions options);

    /** Makes a socket of datagrams for tasks; parks for a name only. Errors as for createDatagramEndpoint. */
    DatagramEndpoint openDatagramEndpoint(DatagramOptions options) throws IOException;

    /** Takes a socket of datagrams over for tasks; the endpoint owns the descriptor from now on. */
    DatagramEndpoint openDatagramEndpoint(RawSocket socket, DatagramOptions options) throws IOException;

    // Names

    /**
     * What the C library's {@code getaddrinfo} tells, by the loop's resolver. Addresses, {@code localhost} and no host at
     * all, with a port that is a number, are answered at once. Fails with UnknownHostException when there is no such host
     * or service. Cancelling the future gives up at once.
     *
     * @param host a name, an address, or null or empty for this machine
     * @param service the name of a service, the number of a port, or null or empty for none
     * @throws IllegalArgumentException when there is neither host nor service, or the number is not 0 to 65535
     */
    LoopFuture<List<AddrInfo>> getAddrInfo(@Nullable String host, @Nullable String service, AddrInfoHints hints);

    /** As {@link #getAddrInfo(String, String, AddrInfoHints)}, with a port of 0 to 65535. */
    default LoopFuture<List<AddrInfo>> getAddrInfo(@Nullable String host, int port, AddrInfoHints hints) {
        if (port < 0) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + port);
        }
        return getAddrInfo(host, Integer.toString(port), hints);
    }

    /**
     * The names of an address and a port, by the loop's resolver: what the C library's {@code getnameinfo} tells. With
     * NUMERICHOST and NUMERICSERV it is answered at once. Fails with UnknownHostException when there is no name and
     * NAMEREQD is given. Cancelling the future gives up at once.
     *
     * @throws IllegalArgumentException when the address is unresolved
     */
    LoopFuture<NameInfo> getNameInfo(InetSocketAddress address, NameInfoFlag... flags);
}
