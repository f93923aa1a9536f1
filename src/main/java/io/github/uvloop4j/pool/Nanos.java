package io.github.uvloop4j.pool;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Durations as nanoseconds that can be added to the clock without an overflow. */
final class Nanos {
    /** 73 years. */
    static final long FOREVER = Long.MAX_VALUE >> 2;

    private Nanos() {}

    static long of(Duration duration) {
        return Math.min(FOREVER, TimeUnit.NANOSECONDS.convert(duration));
    }

    static long positive(Duration duration, String name) {
        if (Objects.requireNonNull(duration, name).isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + duration);
        }
        return of(duration);
    }
}
