package io.github.uvloop4j.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses of hosts: see {@code LoopOptions.resolver}. One may serve many loops, on whose threads it is
 * called, so that it must not block; what it returns may be completed on any thread. {@link Resolvers} has some; a
 * lambda will do. Any thread.
 */
@FunctionalInterface
public interface Resolver {
    /**
     * The addresses of a host, the best first. Fails with UnknownHostException when there are none.
     *
     * <p>A loop gives up a look-up by {@code toCompletableFuture().cancel(true)}, and does not wait for what comes of it.
     *
     * @param host a name in ASCII of at most 253 characters, not an address and not {@code localhost}: those a loop knows
     * @param family {@code StandardProtocolFamily.INET} or {@code INET6} for addresses of this family only, or null for
     *     both
     */
    CompletionStage<List<InetAddress>> resolve(String host, @Nullable ProtocolFamily family);

    /**
     * What the C library's {@code getaddrinfo} tells. As it is here, {@link #resolve} finds the addresses, the C library
     * is asked for services that have a name only, the canonical name of a host is its name, and ADDRCONFIG is ignored.
     *
     * @param host a name in ASCII, an address, or null
     * @param service the name of a service, the number of a port, or null; not null if the host is
     */
    default CompletionStage<List<AddrInfo>> addrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return new AddrInfoQuery(this, host, service, hints).ask();
    }

    /** What the C library's {@code getnameinfo} tells, which is asked on a thread of its own unless a resolver knows. */
    default CompletionStage<NameInfo> nameInfo(InetSocketAddress address, Set<NameInfoFlag> flags) {
        return SystemLookUps.names(LookUpThreads.SHARED, address, flags);
    }

    /** What it has done; all zero for one that does not count. */
    default ResolverStatistics statistics() {
        return ResolverStatistics.NONE;
    }
}
