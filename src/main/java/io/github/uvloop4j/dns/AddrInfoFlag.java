package io.github.uvloop4j.dns;

import java.util.Set;

/** How {@code getaddrinfo} answers. Any thread. */
public enum AddrInfoFlag {
    /** Without a host, the addresses to listen on, and not those of the loopback. */
    PASSIVE(0x1),
    /** The first answer has the canonical name of the host. */
    CANONNAME(0x2),
    /** The host is an address; no name is looked up. */
    NUMERICHOST(0x4),
    /** For family INET6, if there is no such address: the IPv4 ones, mapped into IPv6. */
    V4MAPPED(0x8),
    /** With V4MAPPED: the mapped ones also if there are others. */
    ALL(0x10),
    /** No addresses of a family that this machine has no address of, but for the loopback's. */
    ADDRCONFIG(0x20),
    /** The service is a number; no name is looked up. */
    NUMERICSERV(0x400);

    /** As the C library of Linux has them. */
    private final int code;

    AddrInfoFlag(int code) {
        this.code = code;
    }

    static int codes(Set<AddrInfoFlag> flags) {
        return flags.stream().mapToInt(flag -> flag.code).reduce(0, (a, b) -> a | b);
    }
}
