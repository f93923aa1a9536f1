package io.github.uvloop4j.util;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What resolvers say, and what they should not. */
public final class HostAnswers {
    private HostAnswers() {}

    /**
     * The addresses of a family, null being both, in a resolver's answer, which may be anything: whoever wants may write
     * a resolver. Any thread.
     *
     * @throws UnknownHostException when there is none; it says so if that is the resolver's fault
     */
    public static List<InetAddress> checked(
            Object resolver, String host, @Nullable ProtocolFamily family, @Nullable Collection<InetAddress> answer)
            throws UnknownHostException {
        if (answer == null) {
            throw new UnknownHostException("the resolver " + resolver + " answered null for " + host);
        }
        for (Object address : answer) {
            if (address == null) {
                throw new UnknownHostException("the resolver " + resolver + " answered with a null for " + host);
            }
        }
        var fitting = answer.stream().filter(address -> fits(address, family)).toList();
        if (fitting.isEmpty()) {
            throw new UnknownHostException("no " + (family == null ? "" : family + " ") + "address of " + host);
        }
        return fitting;
    }

    /** Whether an address is of a family, null being both. Any thread. */
    public static boolean fits(InetAddress address, @Nullable ProtocolFamily family) {
        return family == null
                || (family == StandardProtocolFamily.INET6
                        ? address instanceof Inet6Address
                        : address instanceof Inet4Address);
    }

    /**
     * Returns null, INET or INET6.
     *
     * @throws IllegalArgumentException when it is another
     */
    public static @Nullable ProtocolFamily checkFamily(@Nullable ProtocolFamily family) {
        if (family != null && family != StandardProtocolFamily.INET && family != StandardProtocolFamily.INET6) {
            throw new IllegalArgumentException("family must be INET or INET6: " + family);
        }
        return family;
    }
}
