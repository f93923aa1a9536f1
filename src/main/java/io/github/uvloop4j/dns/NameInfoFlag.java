package io.github.uvloop4j.dns;

import java.util.Set;

/** How {@code getnameinfo} answers. Any thread. */
public enum NameInfoFlag {
    /** The host is answered as an address. */
    NUMERICHOST(0x1),
    /** The service is answered as a number. */
    NUMERICSERV(0x2),
    /** Hosts of the own domain are answered without it. */
    NOFQDN(0x4),
    /** A host without a name is a failure; else it is answered as an address. */
    NAMEREQD(0x8),
    /** The service is one of datagrams. */
    DGRAM(0x10);

    /** As the C library of Linux has them. */
    private final int code;

    NameInfoFlag(int code) {
        this.code = code;
    }

    static int codes(Set<NameInfoFlag> flags) {
        return flags.stream().mapToInt(flag -> flag.code).reduce(0, (a, b) -> a | b);
    }
}
