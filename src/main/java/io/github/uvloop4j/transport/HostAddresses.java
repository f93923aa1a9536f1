package io.github.uvloop4j.transport;

import io.github.uvloop4j.affinity.Unpinned;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.observe.Lookup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a host and a port to addresses. Literals and {@code localhost} are answered at once. */
final class HostAddresses {
    private static final int LONGEST_NAME = 255;

    private HostAddresses() {}

    static int checkPort(int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + port);
        }
        return port;
    }

    /** The addresses of a host; null or empty is every interface, IPv6 and IPv4. */
    static LoopFuture<List<InetSocketAddress>> resolve(LoopIo io, @Nullable String host, int port) {
        var known = known(host, port);
        return known != null ? LoopFuture.completed(io.context(), known) : lookUp(io, host == null ? "" : host, port);
    }

    /** Those that need no look-up; null when one is needed. */
    static @Nullable List<InetSocketAddress> known(@Nullable String host, int port) {
        checkPort(port);
        if (host == null || host.isEmpty()) {
            return addresses(port, InetAddress.ofLiteral("0.0.0.0"), InetAddress.ofLiteral("::"));
        }
        if (host.equalsIgnoreCase("localhost")) {
            return addresses(port, InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
        }
        try {
            return addresses(port, InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    private static List<InetSocketAddress> addresses(int port, InetAddress... all) {
        return Arrays.stream(all)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private static LoopFuture<List<InetSocketAddress>> lookUp(LoopIo io, String host, int port) {
        var context = io.context();
        if (host.length() > LONGEST_NAME) {
            var error = new UnknownHostException("a host name has at most " + LONGEST_NAME + " characters: " + host);
            return LoopFuture.failed(context, error);
        }
        var lookup = new Lookup(host);
        io.observers().lookupBegins(lookup);
        var found = new LoopFuture<List<InetSocketAddress>>(context);
        // A look-up can hang: on a daemon thread it keeps neither the loop nor the JVM from ending.
        Thread.ofPlatform().daemon().name("uvloop4j-resolve").start(Unpinned.unpinned(() -> {
            try {
                var addresses = new ArrayList<InetSocketAddress>();
                for (var address : InetAddress.getAllByName(host)) {
                    addresses.add(new InetSocketAddress(address, port));
                }
                io.observers().lookupEnded(lookup, null);
                found.complete(addresses);
            } catch (Throwable error) {
                io.observers().lookupEnded(lookup, error);
                found.completeExceptionally(error);
            }
        }));
        return found;
    }
}
