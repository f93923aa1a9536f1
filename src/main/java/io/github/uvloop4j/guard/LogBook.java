package io.github.uvloop4j.guard;

import io.github.uvloop4j.carrier.LoopLog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Warnings about blocking calls: one for each place, another after ten seconds at the earliest. */
final class LogBook {
    private static final long AGAIN_NANOS = 10_000_000_000L;
    private static final int PLACES = 1_000;

    private static final class Place {
        private final AtomicInteger since = new AtomicInteger();
        private volatile long told = System.nanoTime() - AGAIN_NANOS;
    }

    private final Map<String, Place> places = new ConcurrentHashMap<>();

    void warn(String caller, String message) {
        var place = places.size() < PLACES ? places.computeIfAbsent(caller, _ -> new Place()) : places.get(caller);
        if (place == null) {
            return;
        }
        long now = System.nanoTime();
        if (now - place.told < AGAIN_NANOS) {
            place.since.incrementAndGet();
            return;
        }
        place.told = now;
        int more = place.since.getAndSet(0);
        LoopLog.warn(text(message, more), stack());
    }

    void warmUp() {
        text("", 1);
        stack();
    }

    private static String text(String message, int more) {
        return more == 0 ? message : message + " (and " + more + " times since the last)";
    }

    private static Throwable stack() {
        var where = new Throwable("it is called here");
        where.setStackTrace(Judge.stack(where));
        return where;
    }
}
