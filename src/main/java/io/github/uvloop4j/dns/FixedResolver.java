package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import io.github.uvloop4j.util.HostNames;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A table of hosts, and where to ask for others. */
final class FixedResolver implements Resolver {
    private final Map<String, List<InetAddress>> hosts = new HashMap<>();
    private final @Nullable Resolver others;

    FixedResolver(Map<String, ? extends Collection<InetAddress>> hosts, @Nullable Resolver others) {
        this.others = others;
        hosts.forEach((name, addresses) -> {
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("no address for " + name);
            }
            this.hosts.put(key(HostNames.ascii(name)), List.copyOf(addresses));
        });
    }

    private static String key(String host) {
        var lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, @Nullable ProtocolFamily family) {
        var known = hosts.get(key(host));
        if (known == null && others != null) {
            return others.resolve(host, family);
        }
        try {
            return CompletableFuture.completedFuture(HostAnswers.checked(
                    this, host, HostAnswers.checkFamily(family), known == null ? List.of() : known));
        } catch (UnknownHostException unknown) {
            return CompletableFuture.failedFuture(unknown);
        }
    }

    @Override
    public CompletionStage<List<AddrInfo>> addrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        if (others != null && (host == null || !hosts.containsKey(key(host)))) {
            return others.addrInfo(host, service, hints);
        }
        return Resolver.super.addrInfo(host, service, hints);
    }

    @Override
    public ResolverStatistics statistics() {
        return others == null ? ResolverStatistics.NONE : others.statistics();
    }

    @Override
    public String toString() {
        return "fixed hosts" + (others == null ? "" : ", then " + others);
    }
}
