package io.github.uvloop4j.sync;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Time limits in ns. */
final class Limits {
    /** No limit. */
    static final long NONE = -1;

    private Limits() {}

    /** A limit in ns; what is too long for the clock is for ever. */
    static long nanos(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        if (limit.isNegative()) {
            throw new IllegalArgumentException("limit is negative: " + limit);
        }
        return Math.min(TimeUnit.NANOSECONDS.convert(limit), Long.MAX_VALUE >> 1);
    }
}
