package io.github.uvloop4j.pool;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.Durations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections that nobody uses, the longest idle first, and the one timer that ends them. The timer waits for the
 * first of them to expire; it is left alone when that one goes into use, looks again when it fires, and is not set again
 * when none is left, so that lending a connection never touches the loop's timers.
 */
final class IdleEntries<C> {
    private final ArrayDeque<Entry<C>> entries = new ArrayDeque<>();
    private final Consumer<Entry<C>> onExpired;
    private final boolean newestFirst;
    private final long maxIdle;
    private final long maxLife;
    private @Nullable TimerHandle timer;

    IdleEntries(PoolOptions options, Consumer<Entry<C>> onExpired) {
        this.onExpired = onExpired;
        this.newestFirst = options.order() == PoolOptions.Order.LIFO;
        this.maxIdle = Durations.nanos(options.maxIdleTime(), "maxIdleTime");
        this.maxLife = Durations.nanos(options.maxLifetime(), "maxLifetime");
    }

    int size() {
        return entries.size();
    }

    /** When a connection that is made now has to end. */
    long deathOfNew() {
        long jitter = ThreadLocalRandom.current().nextLong(maxLife / 10 + 1);
        return System.nanoTime() + (maxLife == Durations.FOREVER ? maxLife : maxLife - jitter);
    }

    void put(LoopContext loop, Entry<C> entry, long now) {
        entries.addLast(entry);
        arm(loop, now, now + nanosLeft(entry, now));
    }

    @Nullable
    Entry<C> take() {
        return newestFirst ? entries.pollLast() : entries.pollFirst();
    }

    /** Why a connection must not serve any more, or null. */
    @Nullable
    DiscardReason expiry(Entry<C> entry, long now) {
        if (entry.diesAt - now <= 0) {
            return DiscardReason.LIFETIME;
        }
        return now - entry.idleSince >= maxIdle ? DiscardReason.IDLE : null;
    }

    private long nanosLeft(Entry<C> entry, long now) {
        return Math.min(maxIdle - (now - entry.idleSince), entry.diesAt - now);
    }

    private void arm(LoopContext loop, long now, long deadline) {
        if (deadline - now > Durations.FOREVER >> 1) {
            return;
        }
        var set = timer;
        if (set != null) {
            if (set.when() - deadline <= 0) {
                return;
            }
            set.cancel();
        }
        timer = loop.at(deadline, () -> reap(loop));
    }

    private void reap(LoopContext loop) {
        timer = null;
        long now = System.nanoTime();
        long soonest = Durations.FOREVER;
        var expired = new ArrayList<Entry<C>>();
        for (var entry : entries) {
            if (expiry(entry, now) == null) {
                soonest = Math.min(soonest, nanosLeft(entry, now));
            } else {
                expired.add(entry);
            }
        }
        entries.removeAll(expired);
        if (!entries.isEmpty()) {
            arm(loop, now, now + soonest);
        }
        expired.forEach(onExpired);
    }

    /** Empties it for good; the timer goes too, unless the loop has gone with it already. */
    List<Entry<C>> clear(boolean loopIsOpen) {
        var set = timer;
        if (set != null && loopIsOpen) {
            set.cancel();
        }
        timer = null;
        var all = List.copyOf(entries);
        entries.clear();
        return all;
    }
}
