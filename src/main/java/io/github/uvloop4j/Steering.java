package io.github.uvloop4j;

import java.util.Locale;

/** How the connections of a server over an {@link EventLoopGroup} come to its loops. */
public enum Steering {
    /** Each loop listens on the address; the kernel spreads connections by a hash of their addresses. */
    HASH,
    /**
     * To the loop on the CPU that received the connection, by {@link #INCOMING_CPU} where the kernel has it right and
     * each loop has one CPU, else by {@link #CBPF}. Needs pinned loops.
     */
    CPU,
    /**
     * As {@link #CPU}, by the option SO_INCOMING_CPU of each listening socket. Needs loops that are pinned to one CPU
     * each, and Linux 6.2.
     */
    INCOMING_CPU,
    /** As {@link #CPU}, by a program in the kernel. Needs pinned loops that share no CPU, and Linux 4.5. */
    CBPF,
    /** The first loop accepts all connections and hands them to the loops in turn, itself included. */
    ACCEPTOR;

    /**
     * The steering of a name: that of the constant in lower case, with hyphens.
     *
     * @throws IllegalArgumentException when there is none; the message lists the names
     */
    public static Steering parse(String name) {
        for (var steering : values()) {
            if (steering.toString().equals(name)) {
                return steering;
            }
        }
        throw new IllegalArgumentException(
                "no steering: " + name + " (there are hash, cpu, incoming-cpu, cbpf, acceptor)");
    }

    /** Its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
