package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.util.HostAnswers;
import io.github.uvloop4j.util.HostLiterals;
import io.github.uvloop4j.util.HostNames;
import io.github.uvloop4j.util.Loopback;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From a host and a port to addresses, by the loop's resolver. Literals and {@code localhost} are answered at once. */
final class HostAddresses {
    private HostAddresses() {}

    static int checkPort(int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + port);
        }
        return port;
    }

    /** The addresses of a host to bind to; null or empty is every interface, IPv6 and IPv4. */
    static LoopFuture<List<InetSocketAddress>> toBind(LoopIo io, @Nullable String host, int port) {
        return resolve(io, host, port, null, Loopback.WILDCARDS);
    }

    /** The addresses of several hosts to bind to, each once. */
    static LoopFuture<List<InetSocketAddress>> toBind(LoopIo io, List<String> hosts, int port) {
        checkPort(port);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("no host to bind to");
        }
        return next(io, List.copyOf(hosts), port, new LinkedHashSet<>());
    }

    private static LoopFuture<List<InetSocketAddress>> next(
            LoopIo io, List<String> hosts, int port, Set<InetSocketAddress> found) {
        if (hosts.isEmpty()) {
            return LoopFuture.completed(io.context(), List.copyOf(found));
        }
        return new Chained<>(
                io,
                toBind(io, hosts.getFirst(), port),
                addresses -> {
                    found.addAll(addresses);
                    return next(io, hosts.subList(1, hosts.size()), port, found);
                },
                unwanted -> {});
    }

    /** The addresses of a host to connect to, of a family or of both; null or empty is this machine. */
    static LoopFuture<List<InetSocketAddress>> toConnect(
            LoopIo io, @Nullable String host, int port, @Nullable ProtocolFamily family) {
        return resolve(io, host, port, family, Loopback.ADDRESSES);
    }

    private static LoopFuture<List<InetSocketAddress>> resolve(
            LoopIo io,
            @Nullable String host,
            int port,
            @Nullable ProtocolFamily family,
            List<InetAddress> withoutHost) {
        checkPort(port);
        try {
            var known = known(host, withoutHost);
            if (known != null) {
                var fitting = HostAnswers.checked(io.resolver(), String.valueOf(host), family, known);
                return LoopFuture.completed(io.context(), at(port, fitting));
            }
            var name = HostNames.ascii(String.valueOf(host));
            return new LookUpFuture<List<InetAddress>, List<InetSocketAddress>>(
                            io, name, found -> at(port, HostAnswers.checked(io.resolver(), name, family, found)))
                    .begin(() -> io.resolver().resolve(name, family));
        } catch (UnknownHostException unknown) {
            return LoopFuture.failed(io.context(), unknown);
        } catch (IllegalArgumentException refused) {
            return LoopFuture.failed(io.context(), unknown(refused));
        }
    }

    static UnknownHostException unknown(IllegalArgumentException refused) {
        var error = new UnknownHostException(refused.getMessage());
        error.initCause(refused);
        return error;
    }

    /** Those that need no look-up; null when one is needed. */
    static @Nullable List<InetAddress> known(@Nullable String host, List<InetAddress> withoutHost)
            throws UnknownHostException {
        if (host == null || host.isEmpty()) {
            return withoutHost;
        }
        if (Loopback.isName(host)) {
            return Loopback.ADDRESSES;
        }
        var literal = HostLiterals.parse(host);
        return literal == null ? null : List.of(literal);
    }

    private static List<InetSocketAddress> at(int port, List<InetAddress> addresses) {
        return addresses.stream()
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }
}
