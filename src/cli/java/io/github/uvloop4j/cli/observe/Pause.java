package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * A time in which the whole JVM stood still for the garbage collector.
 *
 * @param begin when it began
 * @param nanos how long it was
 * @param name what the collector calls it
 */
public record Pause(Instant begin, long nanos, String name) {
    /** How much of it is within that time, in ns. */
    public long within(Instant from, Instant to) {
        var end = begin.plusNanos(nanos);
        var first = begin.isAfter(from) ? begin : from;
        var last = end.isBefore(to) ? end : to;
        return first.isBefore(last) ? java.time.Duration.between(first, last).toNanos() : 0;
    }
}
