package io.github.uvloop4j.uv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which events a loop calls back for, and how long that takes. The clock is read where the kind of event changes, not
 * for each: many of one kind in a row cost one reading. Loop thread only, but for what says otherwise.
 */
final class EventMeter {
    private static final VarHandle CALLBACK;

    static {
        try {
            CALLBACK = MethodHandles.lookup().findVarHandle(EventMeter.class, "callback", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private UvLoop.@Nullable Timing timing;
    private int events;
    private long firstAt;
    private @Nullable UvEvent kind;
    private long kindSince;
    private long lastCallback;

    @SuppressWarnings("UnusedVariable") // through CALLBACK
    private long callback;

    void timing(UvLoop.@Nullable Timing value) {
        timing = value;
    }

    /** The loop is about to poll. */
    void polls() {
        events = 0;
        firstAt = 0;
        kind = null;
    }

    /** The poll is over: the first that is heard of it has its time. */
    void pollOver() {
        if (timing != null && firstAt == 0) {
            firstAt = System.nanoTime();
        }
    }

    /** An event is about to be told. */
    void begins(UvEvent next) {
        events++;
        CALLBACK.setOpaque(this, ++lastCallback);
        pollOver();
        if (timing != null && next != kind) {
            change(next);
        }
    }

    private void change(UvEvent next) {
        long now = kind == null ? firstAt : System.nanoTime();
        stretchEnds(now);
        kind = next;
        kindSince = now;
    }

    private void stretchEnds(long now) {
        var last = kind;
        if (last != null && timing != null) {
            timing.stretch(last, now - kindSince);
        }
    }

    /** It was told. */
    void over() {
        CALLBACK.setOpaque(this, 0L);
    }

    /** All events of this poll were told. */
    void allOver(long now) {
        stretchEnds(now);
        kind = null;
    }

    int events() {
        return events;
    }

    long firstAt() {
        return firstAt;
    }

    /** The number of the event whose callback runs now; 0 when none does. Any thread. */
    long callback() {
        return (long) CALLBACK.getOpaque(this);
    }
}
