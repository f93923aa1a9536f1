package io.github.uvloop4j.cli.server;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The built-in echo servers, under the names that the command line has for them. */
public enum EchoMode {
    /** Callbacks. */
    PROTOCOL(Trait.LOOPS, Trait.UNIX, Trait.TLS),
    /** Callbacks, a buffer for each connection. */
    BUFFERED(Trait.LOOPS, Trait.UNIX, Trait.TLS),
    /** A task for each connection. */
    STREAMS(Trait.LOOPS, Trait.UNIX, Trait.TLS),
    /** Raw sockets and futures in a task for each connection. */
    SOCKETS(Trait.LOOPS, Trait.UNIX),
    /** Lines in a task for each connection. */
    READLINE(Trait.LOOPS, Trait.UNIX, Trait.TLS),
    /** Datagrams in callbacks. */
    DATAGRAM(Trait.LOOPS, Trait.DATAGRAMS),
    /** Datagrams in callbacks, several with each system call. */
    DATAGRAM_BATCH(Trait.LOOPS, Trait.DATAGRAMS),
    /** Baseline: one selector thread. */
    NIO(Trait.UNIX),
    /** Baseline: blocking channels in virtual threads. */
    VIRTUAL_THREADS(Trait.UNIX, Trait.TLS),
    /** Baseline for datagrams: one selector thread. */
    NIO_DATAGRAM(Trait.DATAGRAMS),
    /** Baseline for datagrams: one virtual thread. */
    VIRTUAL_THREADS_DATAGRAM(Trait.DATAGRAMS);

    /** What not all of them have. */
    private enum Trait {
        LOOPS,
        UNIX,
        TLS,
        DATAGRAMS
    }

    private final Set<Trait> traits;

    EchoMode(Trait... traits) {
        this.traits = Set.of(traits);
    }

    /** A new server of this mode. No other mode's classes are loaded for it: its start is measured, too. */
    public EchoServer server() {
        return switch (this) {
            case PROTOCOL -> new ProtocolServer();
            case BUFFERED -> new BufferedServer();
            case STREAMS -> new StreamsServer();
            case SOCKETS -> new SocketsServer();
            case READLINE -> new ReadlineServer();
            case DATAGRAM -> new DatagramServer(false);
            case DATAGRAM_BATCH -> new DatagramServer(true);
            case NIO -> new NioServer();
            case VIRTUAL_THREADS -> new VirtualThreadServer();
            case NIO_DATAGRAM -> new NioDatagramServer();
            case VIRTUAL_THREADS_DATAGRAM -> new VirtualThreadDatagramServer();
        };
    }

    /** Whether it is one for datagrams; all others have connections. */
    public boolean hasDatagrams() {
        return traits.contains(Trait.DATAGRAMS);
    }

    /** Whether it can run over TLS. */
    public boolean hasTls() {
        return traits.contains(Trait.TLS);
    }

    /** Whether it can listen on a Unix socket. */
    public boolean hasUnix() {
        return traits.contains(Trait.UNIX);
    }

    /**
     * Whether it can be served in that way.
     *
     * @throws IllegalArgumentException in one line, when it cannot
     */
    public void check(SocketAddress address, EchoOptions options) {
        if (address instanceof UnixDomainSocketAddress && !hasUnix()) {
            throw new IllegalArgumentException("mode " + this + " has no Unix sockets");
        }
        if (options.tls() != null && !hasTls()) {
            throw new IllegalArgumentException("mode " + this + " has no TLS");
        }
        if (this == VIRTUAL_THREADS && options.tls() != null && address instanceof UnixDomainSocketAddress) {
            throw new IllegalArgumentException("mode " + this + " has no TLS over Unix sockets");
        }
        if (options.debug() && !traits.contains(Trait.LOOPS)) {
            throw new IllegalArgumentException("mode " + this + " runs on no loops: no debug mode");
        }
    }

    /**
     * The mode of that name.
     *
     * @throws IllegalArgumentException if there is none; its message lists the names
     */
    public static EchoMode parse(String name) {
        for (var mode : values()) {
            if (mode.toString().equals(name)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is not one of " + String.join(", ", names()));
    }

    /** All names. */
    public static List<String> names() {
        return Stream.of(values()).map(EchoMode::toString).toList();
    }

    /** Its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
