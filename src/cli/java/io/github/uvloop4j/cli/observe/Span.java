package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.concurrent.Histogram;
import java.time.Duration;
import java.time.Instant;

/**
 * What a loop did between two snapshots. Any thread.
 *
 * @param from the earlier
 * @param to the later
 */
public record Span(LoopSnapshot from, LoopSnapshot to) {
    private static final double NANOS = 1e9;

    /** When it begins. */
    public Instant begin() {
        return from.at();
    }

    /** When it ends. */
    public Instant end() {
        return to.at();
    }

    /** How long it is. */
    public double seconds() {
        return Math.max(0, Duration.between(from.at(), to.at()).toNanos() / NANOS);
    }

    /** What was counted within. */
    public long count(Counter counter) {
        return Math.max(0, to.count(counter) - from.count(counter));
    }

    /** The same by second; 0 in no time. */
    public double perSecond(Counter counter) {
        return seconds() > 0 ? count(counter) / seconds() : 0;
    }

    /** The polls of all kinds. */
    public long polls() {
        return count(Counter.POLLS_FOR_READY) + count(Counter.POLLS_FOR_TIMERS) + count(Counter.POLLS_FOR_EVENTS);
    }

    /** Those polls as a share of all, 0 to 1. */
    public double shareOfPolls(Counter which) {
        return polls() == 0 ? 0 : (double) count(which) / polls();
    }

    /**
     * The share of the time in which the thread was busy, 0 to 1, of what it has measured: a turn or poll that goes on is
     * not in it.
     */
    public double busyShare() {
        double busy = count(Counter.BUSY);
        double all = busy + count(Counter.POLLED);
        return all == 0 ? 0 : busy / all;
    }

    /** What was seen within; empty if nothing was. */
    public Histogram histogram(Distribution distribution) {
        var within = to.histogram(distribution).since(from.histogram(distribution));
        return within.count() == 0 ? Histogram.empty() : within;
    }

    /** The greatest within, at most 6.25 % more; exact where it is the greatest ever. In ns. */
    public long max(Distribution distribution) {
        return to.histogram(distribution).max() > from.histogram(distribution).max()
                ? to.histogram(distribution).max()
                : histogram(distribution).percentile(100);
    }
}
