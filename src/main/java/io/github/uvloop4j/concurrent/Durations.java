package io.github.uvloop4j.concurrent;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Durations that callers give, as nanoseconds that no sum overflows. */
final class Durations {
    /** A hundred years: for ever. */
    static final long LONGEST = Duration.ofDays(36_500).toNanos();

    private Durations() {}

    /** A duration in ns, at most {@link #LONGEST}; negative is zero. */
    static long atLeastZero(Duration duration, String name) {
        Objects.requireNonNull(duration, name);
        return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), 0, LONGEST);
    }

    /** {@link #atLeastZero} of a duration that must be more than zero. */
    static long positive(Duration duration, String name) {
        long nanos = atLeastZero(duration, name);
        if (nanos == 0) {
            throw new IllegalArgumentException(name + " must be positive: " + duration);
        }
        return nanos;
    }

    /** A deadline so many ns from now. */
    static long deadline(long nanos) {
        return System.nanoTime() + nanos;
    }

    /** A deadline no further off than a hundred years. */
    static long bounded(long deadlineNanos) {
        long now = System.nanoTime();
        return now + Math.clamp(deadlineNanos - now, -LONGEST, LONGEST);
    }
}
