package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The JDK's resolver; what that cannot tell, the C library does, on the same threads. */
final class JdkResolver implements Resolver {
    static final JdkResolver SHARED = new JdkResolver(LookUpThreads.SHARED);

    private final LookUpThreads threads;

    JdkResolver(LookUpThreads threads) {
        this.threads = threads;
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, @Nullable ProtocolFamily family) {
        HostAnswers.checkFamily(family);
        return threads.run(() -> HostAnswers.checked(this, host, family, List.of(InetAddress.getAllByName(host))));
    }

    @Override
    public CompletionStage<List<AddrInfo>> addrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return SystemLookUps.addresses(threads, host, service, hints);
    }

    @Override
    public CompletionStage<NameInfo> nameInfo(InetSocketAddress address, Set<NameInfoFlag> flags) {
        return SystemLookUps.names(threads, address, flags);
    }

    @Override
    public ResolverStatistics statistics() {
        return threads.statistics();
    }

    @Override
    public String toString() {
        return "the JDK's resolver";
    }
}
