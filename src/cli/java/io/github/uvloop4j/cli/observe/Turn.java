package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * A turn that kept the thread busy for long.
 *
 * @param at when it ended
 * @param busyNanos how long it did
 * @param readyNanos the part that ran what was ready
 * @param callbackNanos the part that ran callbacks of events
 * @param calls how many calls ran
 * @param events how many events were called back for
 */
public record Turn(Instant at, long busyNanos, long readyNanos, long callbackNanos, int calls, int events) {
    /** When it began, but for its poll. */
    public Instant begin() {
        return at.minusNanos(busyNanos);
    }
}
