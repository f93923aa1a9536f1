package io.github.uvloop4j.cli.server;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The built-in echo servers, under the names that the command line has for them. */
public enum EchoMode {
    /** Callbacks. */
    PROTOCOL {
        @Override
        public EchoServer server() {
            return new ProtocolServer();
        }
    },
    /** Callbacks, a buffer for each connection. */
    BUFFERED {
        @Override
        public EchoServer server() {
            return new BufferedServer();
        }
    },
    /** A task for each connection. */
    STREAMS {
        @Override
        public EchoServer server() {
            return new StreamsServer();
        }
    },
    /** Raw sockets and futures in a task for each connection. */
    SOCKETS {
        @Override
        public EchoServer server() {
            return new SocketsServer();
        }
    },
    /** Lines in a task for each connection. */
    READLINE {
        @Override
        public EchoServer server() {
            return new ReadlineServer();
        }
    },
    /** Baseline: one selector thread. */
    NIO {
        @Override
        public EchoServer server() {
            return new NioServer();
        }
    },
    /** Baseline: blocking channels in virtual threads. */
    VIRTUAL_THREADS {
        @Override
        public EchoServer server() {
            return new VirtualThreadServer();
        }
    };

    /** A new server of this mode. */
    public abstract EchoServer server();

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
