package io.github.uvloop4j.dns;

/**
 * What a resolver does and has done. Any thread.
 *
 * @param running the look-ups under way, those too that were given up and cannot be stopped
 * @param queued the look-ups that wait for a thread
 * @param finished the look-ups that are over
 * @param failed those of them that failed
 * @param hits how often a cache had the answer, or waited for one that somebody else had asked for
 * @param entries how many answers a cache holds
 */
public record ResolverStatistics(int running, int queued, long finished, long failed, long hits, int entries) {
    /** All zero. */
    public static final ResolverStatistics NONE = new ResolverStatistics(0, 0, 0, 0, 0, 0);
}
