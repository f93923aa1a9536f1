package io.github.uvloop4j.pool;

import java.util.EnumMap;

/** What a pool has done so far. */
final class Counters {
    private final EnumMap<DiscardReason, Long> discarded = new EnumMap<>(DiscardReason.class);
    long created;
    long connectFailures;
    long reused;
    long timeouts;
    long rejected;

    void discarded(DiscardReason reason) {
        discarded.merge(reason, 1L, Long::sum);
    }

    PoolStatistics with(int maxSize, int idle, int inUse, int connecting, int waiting) {
        return new PoolStatistics(
                maxSize,
                idle,
                inUse,
                connecting,
                waiting,
                created,
                connectFailures,
                reused,
                timeouts,
                rejected,
                discarded);
    }
}
