package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import io.github.uvloop4j.util.HostLiterals;
import io.github.uvloop4j.util.HostNames;
import io.github.uvloop4j.util.Loopback;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A question of {@code getaddrinfo}, and the answers that need no look-up: of addresses, {@code localhost} and no host at
 * all, with ports that are numbers. Immutable. Any thread.
 */
public final class AddrInfoQuery {
    private static final int LONGEST_SERVICE = 255;

    private final Resolver resolver;
    private final @Nullable String host;
    private final @Nullable String service;
    private final AddrInfoHints hints;

    /**
     * A question to a resolver.
     *
     * @param host a name, an address, or null or empty for none
     * @param service the name of a service, the number of a port, or null or empty for none
     * @throws IllegalArgumentException when there is neither host nor service, the number of the port is not 0 to 65535,
     *     or the service has more than 255 characters or one of code 0
     */
    public AddrInfoQuery(Resolver resolver, @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        this.resolver = Objects.requireNonNull(resolver, "resolver");
        this.host = host == null || host.isEmpty() ? null : host;
        this.service = service == null || service.isEmpty() ? null : service;
        this.hints = Objects.requireNonNull(hints, "hints");
        if (this.host == null && this.service == null) {
            throw new IllegalArgumentException("neither a host nor a service to look up");
        }
        if (this.service != null) {
            checkService(this.service);
        }
    }

    private static void checkService(String service) {
        if (service.length() > LONGEST_SERVICE || service.indexOf(0) >= 0) {
            throw new IllegalArgumentException(
                    "a service has at most " + LONGEST_SERVICE + " characters, none of them of code 0");
        }
        if (isNumber(service) && (service.length() > 5 || Integer.parseInt(service) > 0xffff)) {
            throw new IllegalArgumentException("port must be 0 to 65535: " + service);
        }
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /**
     * The answers; null when that takes a look-up.
     *
     * @throws UnknownHostException when there are none
     */
    public @Nullable List<AddrInfo> known() throws UnknownHostException {
        var ends = simpleEnds();
        var addresses = knownAddresses();
        return ends == null || addresses == null ? null : answers(addresses, ends);
    }

    /** The host as it is looked up: in ASCII, an address as the C library has it. Null when there is none. */
    public @Nullable String asciiHost() throws UnknownHostException {
        if (host == null) {
            return null;
        }
        var literal = HostLiterals.parse(host);
        if (literal != null) {
            return literal.getHostAddress();
        }
        try {
            return HostNames.ascii(host);
        } catch (IllegalArgumentException refused) {
            var error = new UnknownHostException(refused.getMessage());
            error.initCause(refused);
            throw error;
        }
    }

    /** The service; null when there is none. */
    public @Nullable String service() {
        return service;
    }

    /** The answers: what is not {@link #known} by the resolver's {@code resolve}. */
    CompletionStage<List<AddrInfo>> ask() {
        try {
            var known = known();
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
            var name = asciiHost();
            var addresses = knownAddresses();
            if (name == null || addresses != null) {
                return SystemLookUps.addresses(LookUpThreads.SHARED, name, service, hints);
            }
            return join(find(name), ends());
        } catch (UnknownHostException unknown) {
            return CompletableFuture.failedFuture(unknown);
        }
    }

    private CompletionStage<List<AddrInfo>> join(
            CompletableFuture<List<InetAddress>> addresses, CompletableFuture<List<End>> ends) {
        var answer = addresses.thenCombine(ends, this::answersOrFailure);
        answer.whenComplete((found, error) -> {
            // Of the two one may still be under way, for nobody.
            addresses.cancel(true);
            ends.cancel(true);
        });
        return answer;
    }

    private List<AddrInfo> answersOrFailure(List<InetAddress> addresses, List<End> ends) {
        try {
            return answers(addresses, ends);
        } catch (UnknownHostException unknown) {
            throw new CompletionException(unknown);
        }
    }

    // Where to

    private @Nullable List<InetAddress> knownAddresses() throws UnknownHostException {
        if (host == null) {
            // In the order of the C library.
            return hints.has(AddrInfoFlag.PASSIVE) ? Loopback.WILDCARDS : Loopback.ADDRESSES.reversed();
        }
        if (Loopback.isName(host)) {
            return hints.has(AddrInfoFlag.NUMERICHOST) ? notNumeric() : Loopback.ADDRESSES;
        }
        var literal = HostLiterals.parse(host);
        if (literal != null) {
            return List.of(literal);
        }
        return hints.has(AddrInfoFlag.NUMERICHOST) ? notNumeric() : null;
    }

    private List<InetAddress> notNumeric() throws UnknownHostException {
        throw new UnknownHostException("not an address, as NUMERICHOST wants it: " + host);
    }

    private CompletableFuture<List<InetAddress>> find(String name) {
        var asked = isMapping() ? null : hints.family();
        var stage = Objects.requireNonNull(resolver.resolve(name, asked), () -> resolver + " returned null");
        try {
            return stage.toCompletableFuture();
        } catch (UnsupportedOperationException cannot) {
            var copy = new CompletableFuture<List<InetAddress>>();
            stage.whenComplete((found, error) -> {
                if (error != null) {
                    copy.completeExceptionally(error);
                } else {
                    copy.complete(found);
                }
            });
            return copy;
        }
    }

    private boolean isMapping() {
        return hints.family() == StandardProtocolFamily.INET6 && hints.has(AddrInfoFlag.V4MAPPED);
    }

    /** Those of the family that is asked for; the others are mapped into it where that is asked for. */
    private List<InetAddress> fitting(List<InetAddress> addresses) throws UnknownHostException {
        var text = String.valueOf(host);
        if (!isMapping()) {
            return HostAnswers.checked(resolver, text, hints.family(), addresses);
        }
        var all = HostAnswers.checked(resolver, text, null, addresses);
        var v6 = all.stream().filter(Inet6Address.class::isInstance).toList();
        if (!v6.isEmpty() && !hints.has(AddrInfoFlag.ALL)) {
            return v6;
        }
        var mapped = new ArrayList<>(v6);
        for (var address : all) {
            if (address instanceof Inet4Address v4) {
                mapped.add(mapped(v4));
            }
        }
        return mapped;
    }

    private static InetAddress mapped(Inet4Address address) throws UnknownHostException {
        var bytes = new byte[16];
        bytes[10] = (byte) 0xff;
        bytes[11] = (byte) 0xff;
        System.arraycopy(address.getAddress(), 0, bytes, 12, 4);
        return Inet6Address.getByAddress(null, bytes, -1);
    }

    // What for

    /** A kind of socket, a protocol and a port. */
    private record End(SocketType type, int protocol, int port) {}

    /** Those that the table of services is not needed for; null when it is. */
    private @Nullable List<End> simpleEnds() {
        if (service != null && !isNumber(service)) {
            return null;
        }
        int port = service == null ? 0 : Integer.parseInt(service);
        var stream = new End(SocketType.STREAM, 6, port);
        var datagrams = new End(SocketType.DGRAM, 17, port);
        int protocol = hints.protocol();
        return switch (hints.type()) {
            case null ->
                switch (protocol) {
                    case 0 -> List.of(stream, datagrams, new End(SocketType.RAW, 0, port));
                    case 6 -> List.of(stream);
                    case 17 -> List.of(datagrams);
                    default -> null;
                };
            case STREAM -> protocol == 0 || protocol == 6 ? List.of(stream) : null;
            case DGRAM -> protocol == 0 || protocol == 17 ? List.of(datagrams) : null;
            default -> null;
        };
    }

    /** The C library knows them: it is asked for some address. */
    private CompletableFuture<List<End>> ends() {
        var simple = simpleEnds();
        if (simple != null) {
            return CompletableFuture.completedFuture(simple);
        }
        var numeric = hints.family(null).flags(AddrInfoFlag.NUMERICHOST);
        return SystemLookUps.addresses(LookUpThreads.SHARED, "127.0.0.1", service, numeric)
                .thenApply(found -> found.stream()
                        .map(info -> new End(
                                info.type(), info.protocol(), info.address().getPort()))
                        .toList());
    }

    // Both

    private List<AddrInfo> answers(List<InetAddress> addresses, List<End> ends) throws UnknownHostException {
        var all = new ArrayList<AddrInfo>();
        for (var address : fitting(addresses)) {
            for (var end : ends) {
                all.add(new AddrInfo(
                        family(address),
                        end.type,
                        end.protocol,
                        all.isEmpty() && hints.has(AddrInfoFlag.CANONNAME) ? host : null,
                        new InetSocketAddress(address, end.port)));
            }
        }
        return List.copyOf(all);
    }

    private static ProtocolFamily family(InetAddress address) {
        return address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }
}
