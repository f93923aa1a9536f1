package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import java.net.ProtocolFamily;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of {@code getaddrinfo}. Immutable; each method that is named like a component and takes a value returns a
 * changed copy. Any thread.
 *
 * @param family {@code StandardProtocolFamily.INET} or {@code INET6}, or null for both
 * @param type the kind of socket, or null for all
 * @param protocol the number of a protocol (6 for TCP, 17 for UDP), or 0 for all
 * @param flags how it answers
 */
public record AddrInfoHints(
        @Nullable ProtocolFamily family, @Nullable SocketType type, int protocol, Set<AddrInfoFlag> flags) {
    private static final AddrInfoHints NONE = new AddrInfoHints(null, null, 0, Set.of());

    /** Checks the ranges. */
    public AddrInfoHints {
        HostAnswers.checkFamily(family);
        if (protocol < 0) {
            throw new IllegalArgumentException("negative protocol: " + protocol);
        }
        flags = Set.copyOf(flags);
    }

    /** Everything, without flags. */
    public static AddrInfoHints none() {
        return NONE;
    }

    /** A copy with another family, or null for both. */
    public AddrInfoHints family(@Nullable ProtocolFamily value) {
        return new AddrInfoHints(value, type, protocol, flags);
    }

    /** A copy with another kind of socket, or null for all. */
    public AddrInfoHints type(@Nullable SocketType value) {
        return new AddrInfoHints(family, value, protocol, flags);
    }

    /** A copy with another protocol, or 0 for all. */
    public AddrInfoHints protocol(int value) {
        return new AddrInfoHints(family, type, value, flags);
    }

    /** A copy with other flags. */
    public AddrInfoHints flags(AddrInfoFlag... value) {
        return new AddrInfoHints(family, type, protocol, Set.copyOf(List.of(value)));
    }

    boolean has(AddrInfoFlag flag) {
        return flags.contains(flag);
    }
}
