package io.github.uvloop4j.cli.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * A host and a port as the command line has them: {@code 127.0.0.1:25000}, {@code localhost:0}, {@code [::1]:25000}.
 *
 * @param host a name or a numeric address, without brackets
 * @param port 0 to 65535
 */
public record Endpoint(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Endpoint parse(String text) {
        var colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            host = "";
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
        }
        try {
            var port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= MAX_PORT) {
                return new Endpoint(host, port);
            }
        } catch (NumberFormatException _) {
            // Falls through to the same message as a number out of range.
        }
        throw new IllegalArgumentException("'" + text + "' has no port from 0 to " + MAX_PORT);
    }

    /**
     * Resolves the host.
     *
     * @throws IllegalArgumentException if the host is unknown
     */
    public InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException _) {
            throw new IllegalArgumentException("unknown host " + host);
        }
    }

    /** Whether the host is this machine's loopback. */
    public boolean isLoopback() {
        return resolve().getAddress().isLoopbackAddress();
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** The endpoint of a socket address. */
    public static Endpoint of(SocketAddress address) {
        var internet = (InetSocketAddress) address;
        return new Endpoint(internet.getAddress().getHostAddress(), internet.getPort());
    }
}
