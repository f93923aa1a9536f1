package io.github.uvloop4j.observe.export;

import io.github.uvloop4j.concurrent.LoopStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What a loop had done at a moment.
 *
 * @param statistics all since it was made
 * @param nanoTime when
 * @param busyShare the share of the time since the moment before in which it was busy, 0 to 1
 */
public record Moment(LoopStatistics statistics, long nanoTime, double busyShare) {
    /** The moment after another one, if there was one. */
    public static Moment after(@Nullable Moment before, LoopStatistics statistics, long nanoTime) {
        return new Moment(
                statistics,
                nanoTime,
                before == null ? statistics.busyShare() : before.busyShareUntil(statistics, nanoTime));
    }

    /** Of the time by the clock: a poll that still blocks is not counted yet. */
    private double busyShareUntil(LoopStatistics now, long nanoTime) {
        double elapsed = nanoTime - this.nanoTime;
        double busy = now.turns().total() - statistics.turns().total();
        return elapsed <= 0 ? busyShare : Math.min(1, busy / elapsed);
    }
}
