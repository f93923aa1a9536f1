package io.github.uvloop4j.cli.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What messages of a comparison travel over. */
public enum Over {
    /** TCP. */
    TCP,
    /** Unix stream sockets. */
    UNIX,
    /** UDP: each message is a datagram. */
    UDP,
    /** TLS over TCP. */
    TLS;

    /** What the client process is told of it, with placeholders. */
    List<String> clientArguments() {
        return switch (this) {
            case TCP, UNIX -> List.of();
            case UDP -> List.of("--udp");
            case TLS -> List.of("--tls", "--cert={cert}");
        };
    }

    /** What the built-in servers are told of it, with placeholders. */
    public List<String> serverArguments() {
        return this == TLS
                ? List.of("--addr={addr}", "--tls", "--cert={cert}", "--key={key}")
                : List.of("--addr={addr}");
    }

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException if there is none; its message lists the names
     */
    public static Over parse(String name) {
        return Stream.of(values())
                .filter(over -> over.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not one of tcp, unix, udp, tls"));
    }

    /** For people. */
    public String label() {
        return switch (this) {
            case UNIX -> "Unix sockets";
            default -> name();
        };
    }

    /** Its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
