package io.github.uvloop4j.pool;

import java.util.Map;

/**
 * What a pool held and had done at a moment. Any thread.
 *
 * @param maxSize how many connections there may be
 * @param idle connections that wait for a task
 * @param inUse connections that a task holds, or has checked before it gets them
 * @param connecting connections that are being made
 * @param waiting tasks that wait for a connection
 * @param created connections that were made
 * @param connectFailures how often making one failed or was cancelled
 * @param reused how often a task got a connection that had served before
 * @param timeouts how often a task gave up waiting
 * @param rejected how often a task was sent away because too many waited
 * @param discarded how many connections were closed, for each reason
 */
public record PoolStatistics(
        int maxSize,
        int idle,
        int inUse,
        int connecting,
        int waiting,
        long created,
        long connectFailures,
        long reused,
        long timeouts,
        long rejected,
        Map<DiscardReason, Long> discarded) {
    /** Copies the map. */
    public PoolStatistics {
        discarded = Map.copyOf(discarded);
    }

    /** The slots that are taken: by connections, and by those that are being made. */
    public int size() {
        return idle + inUse + connecting;
    }

    /** How many connections were closed for a reason. */
    public long discarded(DiscardReason reason) {
        return discarded.getOrDefault(reason, 0L);
    }
}
