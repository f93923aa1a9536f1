package io.github.uvloop4j.observe.micrometer;

import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.observe.export.Bounds;
import io.github.uvloop4j.observe.export.Moment;
import io.github.uvloop4j.observe.export.Timing;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one loop, not older than a second: a scrape reads some two hundred meters one by one, and finds them
 * of one moment. Any thread; takes no lock, since a task of the loop may be the one that scrapes.
 */
final class Snapshots {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A snapshot, and what is computed from it once for many meters. */
    static final class Snapshot {
        private final Moment moment;
        private final Map<Timing, long[]> within = new EnumMap<>(Timing.class);

        private Snapshot(Moment moment) {
            this.moment = moment;
            for (var timing : Timing.values()) {
                within.put(timing, Bounds.cumulative(timing.in(moment.statistics())));
            }
        }

        LoopStatistics statistics() {
            return moment.statistics();
        }

        double busyShare() {
            return moment.busyShare();
        }

        long within(Timing timing, int bound) {
            return Objects.requireNonNull(within.get(timing))[bound];
        }
    }

    private final Supplier<LoopStatistics> source;
    private final BooleanSupplier running;
    private final LongSupplier clock;
    private final AtomicReference<@Nullable Snapshot> newest = new AtomicReference<>();

    Snapshots(Supplier<LoopStatistics> source, BooleanSupplier running, LongSupplier clock) {
        this.source = source;
        this.running = running;
        this.clock = clock;
    }

    boolean isRunning() {
        return running.getAsBoolean();
    }

    Snapshot current() {
        var seen = newest.get();
        long now = clock.getAsLong();
        if (seen != null && now - seen.moment.nanoTime() < FRESH_NANOS) {
            return seen;
        }
        var taken = new Snapshot(Moment.after(seen == null ? null : seen.moment, source.get(), now));
        newest.compareAndSet(seen, taken);
        return Objects.requireNonNull(newest.get());
    }
}
