package io.github.uvloop4j.sync;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;

/** Time limits in ns. */
final class Limits {
    /** No limit. */
    static final long NONE = -1;

    private Limits() {}

    /** A limit in ns; what is too long for the clock is for ever. */
    static long nanos(Duration limit) {
        return Durations.notNegative(limit, "limit");
    }
}
