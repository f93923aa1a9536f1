package io.github.uvloop4j.util;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Durations that callers give, in nanoseconds that can be added to the clock without an overflow. */
public final class Durations {
    /** A hundred years: for ever. */
    public static final long FOREVER = TimeUnit.DAYS.toNanos(36_500);

    private Durations() {}

    /** A duration in ns, at most {@link #FOREVER}; negative is zero. */
    public static long nanos(Duration duration, String name) {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, name)), 0, FOREVER);
    }

    /** {@link #nanos} of a duration that must not be negative. */
    public static long notNegative(Duration duration, String name) {
        if (Objects.requireNonNull(duration, name).isNegative()) {
            throw new IllegalArgumentException(name + " is negative: " + duration);
        }
        return nanos(duration, name);
    }

    /** {@link #nanos} of a duration that must be more than zero. */
    public static long positive(Duration duration, String name) {
        long nanos = nanos(duration, name);
        if (nanos == 0) {
            throw new IllegalArgumentException(name + " must be positive: " + duration);
        }
        return nanos;
    }

    /** The deadline so many ns from now. */
    public static long deadline(long nanos) {
        return System.nanoTime() + Math.min(nanos, FOREVER);
    }

    /** A deadline no further off than {@link #FOREVER}, either way. */
    public static long bounded(long deadlineNanos) {
        long now = System.nanoTime();
        return now + Math.clamp(deadlineNanos - now, -FOREVER, FOREVER);
    }
}
