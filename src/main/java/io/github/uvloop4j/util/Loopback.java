package io.github.uvloop4j.util;

import java.net.InetAddress;
import java.util.List;

/** This machine, whatever the resolver says: its own name must never lead to another. */
public final class Loopback {
    /** The addresses of {@code localhost}. */
    public static final List<InetAddress> ADDRESSES =
            List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

    /** The addresses of every interface. */
    public static final List<InetAddress> WILDCARDS =
            List.of(InetAddress.ofLiteral("0.0.0.0"), InetAddress.ofLiteral("::"));

    private Loopback() {}

    /** Whether it is {@code localhost}, in any case, with a dot at its end or without. Any thread. */
    public static boolean isName(String host) {
        return host.equalsIgnoreCase("localhost") || host.equalsIgnoreCase("localhost.");
    }
}
