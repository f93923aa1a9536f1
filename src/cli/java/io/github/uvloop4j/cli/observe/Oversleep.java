package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * A poll that outlasted its limit.
 *
 * @param at when it ended
 * @param limitNanos how long it was to last at most
 * @param tookNanos how long it took
 */
public record Oversleep(Instant at, long limitNanos, long tookNanos) {
    /** By how much. */
    public long nanos() {
        return Math.max(0, tookNanos - limitNanos);
    }
}
