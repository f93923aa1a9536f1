package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.util.HostAnswers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what another resolver finds: see {@link Resolvers#caching}. Answers of {@code addrInfo} and {@code nameInfo}
 * are not remembered. Any thread.
 */
public final class CachingResolver implements Resolver {
    private final Resolver source;
    private final int maxEntries;
    private final long ttl;
    private final long negativeTtl;
    private final LongSupplier clock;

    /** The one that nobody wanted for the longest time is the first. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Key, SharedLookUp> underWay = new HashMap<>();
    private long hits;

    record Key(String host, @Nullable ProtocolFamily family) {}

    /** An answer: addresses, or else that there are none. */
    private record Entry(
            List<InetAddress> addresses, @Nullable Throwable failure, long expires) {}

    CachingResolver(Resolver source, int maxEntries, Duration ttl, Duration negativeTtl, LongSupplier clock) {
        this.source = Objects.requireNonNull(source, "source");
        if (maxEntries < 1) {
            throw new IllegalArgumentException("maxEntries must be 1 or more: " + maxEntries);
        }
        this.maxEntries = maxEntries;
        this.ttl = Durations.positive(ttl, "ttl");
        this.negativeTtl = Durations.notNegative(negativeTtl, "negativeTtl");
        this.clock = clock;
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, @Nullable ProtocolFamily family) {
        var key = new Key(host.toLowerCase(Locale.ROOT), HostAnswers.checkFamily(family));
        SharedLookUp shared;
        SharedLookUp.Asker asker;
        boolean begins;
        synchronized (this) {
            var known = fresh(key);
            if (known != null) {
                hits++;
                return answer(known);
            }
            var other = underWay.get(key);
            begins = other == null;
            shared = other == null ? new SharedLookUp(this, key) : other;
            asker = shared.join();
            if (begins) {
                underWay.put(key, shared);
            } else {
                hits++;
            }
        }
        if (begins) {
            shared.begin(source);
        }
        return asker;
    }

    private @Nullable Entry fresh(Key key) {
        var entry = entries.get(key);
        if (entry != null && clock.getAsLong() - entry.expires >= 0) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    private static CompletionStage<List<InetAddress>> answer(Entry entry) {
        var failure = entry.failure;
        if (failure == null) {
            return CompletableFuture.completedFuture(entry.addresses);
        }
        // Each asker gets one of its own, since others may add to it.
        var error = new UnknownHostException(failure.getMessage());
        error.initCause(failure);
        return CompletableFuture.failedFuture(error);
    }

    /** A look-up has found something, or nothing: nobody joins it any more. */
    synchronized void ended(
            SharedLookUp lookUp, Key key, @Nullable List<InetAddress> addresses, @Nullable Throwable failure) {
        if (!underWay.remove(key, lookUp)) {
            return;
        }
        if (addresses != null) {
            put(key, new Entry(addresses, null, clock.getAsLong() + ttl));
        } else if (negativeTtl > 0
                && failure instanceof UnknownHostException unknown
                && !LookUpErrors.isTemporary(unknown)) {
            put(key, new Entry(List.of(), unknown, clock.getAsLong() + negativeTtl));
        }
    }

    private void put(Key key, Entry entry) {
        entries.put(key, entry);
        if (entries.size() > maxEntries) {
            var eldest = entries.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Nobody waits for a look-up any more. */
    synchronized void abandoned(SharedLookUp lookUp, Key key) {
        underWay.remove(key, lookUp);
    }

    /** Forgets all answers; those of look-ups under way are not remembered either. */
    public synchronized void clear() {
        entries.clear();
        underWay.clear();
    }

    @Override
    public CompletionStage<List<AddrInfo>> addrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return source.addrInfo(host, service, hints);
    }

    @Override
    public CompletionStage<NameInfo> nameInfo(InetSocketAddress address, Set<NameInfoFlag> flags) {
        return source.nameInfo(address, flags);
    }

    /** Those of the resolver behind it, with its own hits and entries. */
    @Override
    public ResolverStatistics statistics() {
        var behind = source.statistics();
        synchronized (this) {
            return new ResolverStatistics(
                    behind.running(), behind.queued(), behind.finished(), behind.failed(), hits, entries.size());
        }
    }

    @Override
    public String toString() {
        return "cache of " + source;
    }
}
