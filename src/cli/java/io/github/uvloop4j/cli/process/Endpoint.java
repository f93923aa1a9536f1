package io.github.uvloop4j.cli.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a server listens, as the command line has it: {@code HOST:PORT} or {@code unix:PATH}. */
public sealed interface Endpoint {
    /** What the text of a Unix socket begins with. */
    String UNIX = "unix:";

    /**
     * Reads {@code HOST:PORT} or {@code unix:PATH}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Endpoint parse(String text) {
        return text.startsWith(UNIX) ? Unix.parsePath(text.substring(UNIX.length())) : Internet.parseHost(text);
    }

    /** The endpoint of a socket address. */
    static Endpoint of(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix
                ? new Unix(unix.getPath())
                : Internet.ofInternet((InetSocketAddress) address);
    }

    /**
     * The address to bind or to connect to.
     *
     * @throws IllegalArgumentException if the host is unknown
     */
    SocketAddress resolve();

    /** Whether nobody but this machine can reach it. */
    boolean isLoopback();

    /**
     * A host and a port: {@code 127.0.0.1:25000}, {@code localhost:0}, {@code [::1]:25000}.
     *
     * @param host a name or a numeric address, without brackets
     * @param port 0 to 65535
     */
    record Internet(String host, int port) implements Endpoint {
        private static final int MAX_PORT = 65_535;

        private static Internet parseHost(String text) {
            var colon = text.lastIndexOf(':');
            var host = colon < 0 ? "" : text.substring(0, colon);
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            } else if (host.contains(":")) {
                host = "";
            }
            if (host.isBlank()) {
                throw new IllegalArgumentException("'" + text + "' is neither HOST:PORT nor " + UNIX + "PATH");
            }
            try {
                var port = Integer.parseInt(text.substring(colon + 1));
                if (port >= 0 && port <= MAX_PORT) {
                    return new Internet(host, port);
                }
            } catch (NumberFormatException _) {
                // Falls through to the same message as a number out of range.
            }
            throw new IllegalArgumentException("'" + text + "' has no port from 0 to " + MAX_PORT);
        }

        private static Internet ofInternet(InetSocketAddress address) {
            return new Internet(address.getAddress().getHostAddress(), address.getPort());
        }

        @Override
        public InetSocketAddress resolve() {
            try {
                return new InetSocketAddress(InetAddress.getByName(host), port);
            } catch (UnknownHostException _) {
                throw new IllegalArgumentException("unknown host " + host);
            }
        }

        @Override
        public boolean isLoopback() {
            return resolve().getAddress().isLoopbackAddress();
        }

        /** The text that {@link #parse} reads. */
        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * A Unix socket: {@code unix:PATH}.
     *
     * @param path of its file
     */
    record Unix(Path path) implements Endpoint {
        /** The room that the kernel has for it, less the byte at its end. */
        private static final int MAX_BYTES = 107;

        private static Unix parsePath(String path) {
            if (path.isEmpty()) {
                throw new IllegalArgumentException("'" + UNIX + "' has no path");
            }
            if (path.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
                throw new IllegalArgumentException("a path of more than " + MAX_BYTES + " bytes: " + path);
            }
            try {
                return new Unix(Path.of(path));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("no path: " + e.getMessage(), e);
            }
        }

        @Override
        public SocketAddress resolve() {
            return UnixDomainSocketAddress.of(path);
        }

        @Override
        public boolean isLoopback() {
            return true;
        }

        /** The text that {@link #parse} reads. */
        @Override
        public String toString() {
            return UNIX + path;
        }
    }
}
