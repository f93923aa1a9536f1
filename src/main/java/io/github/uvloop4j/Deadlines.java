package io.github.uvloop4j;

import io.github.uvloop4j.util.DeadlineHeap;
import io.github.uvloop4j.util.ReadyRing;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvTimer;

/** The loop's timers: a heap in nanoseconds behind one timer of libuv, which only ends the poll. */
final class Deadlines {
    private final UvLoop uv;
    private final UvTimer timer;
    private final TurnMeter meter;
    private final DeadlineHeap heap = new DeadlineHeap();

    /** Before 1.45, libuv runs timers ahead of the poll too, which would then block with no timer left to end it. */
    private final Runnable endPoll;

    private boolean armed;
    private long armedFor;

    Deadlines(UvLoop uv, TurnMeter meter) {
        this.uv = uv;
        this.meter = meter;
        this.timer = new UvTimer(uv);
        this.endPoll = uv::stop;
    }

    DeadlineHeap heap() {
        return heap;
    }

    /** Moves what is due to the ready ring. */
    void expireTo(ReadyRing ready) {
        if (heap.size() == 0) {
            return;
        }
        long now = System.nanoTime();
        for (var due = heap.pollDue(now); due != null; due = heap.pollDue(now)) {
            meter.timerDue(now - due.deadline());
            ready.add((DeadlineCall) due);
        }
    }

    /** Whether a deadline came up that the poll does not know of. */
    boolean needsArming() {
        var first = heap.first();
        return first != null && (!armed || armedFor - first.deadline() > 0);
    }

    /** Makes the poll end at the next deadline. */
    void arm() {
        var first = heap.first();
        if (first == null) {
            if (armed) {
                timer.stop();
                armed = false;
            }
            return;
        }
        if (armed && armedFor == first.deadline() && timer.isActive()) {
            return;
        }
        armed = true;
        armedFor = first.deadline();
        uv.updateTime();
        timer.start(endPoll, millisUntil(armedFor), 0);
    }

    private static long millisUntil(long deadline) {
        long nanos = deadline - System.nanoTime();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** How long until the next deadline in ms; -1 when there is none. */
    int timeoutMillis() {
        var first = heap.first();
        return first == null ? -1 : (int) Math.min(Integer.MAX_VALUE, millisUntil(first.deadline()));
    }
}
