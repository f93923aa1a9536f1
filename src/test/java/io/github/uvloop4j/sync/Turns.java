package io.github.uvloop4j.sync;

import io.github.uvloop4j.EventLoop;
import java.time.Duration;

/** Drives a loop by hand. */
final class Turns {
    /** Long enough for a task to start its wait before it is over. */
    static final Duration LIMIT = Duration.ofMillis(100);

    private Turns() {}

    /** Enough turns for what a test has started to come to rest. */
    static void of(EventLoop loop) {
        for (int i = 0; i < 6; i++) {
            loop.runOnce();
        }
    }

    /** Keeps the thread busy until a {@link #LIMIT} that was set before is over. */
    static void pastLimit() {
        long start = System.nanoTime();
        while (System.nanoTime() - start <= LIMIT.toNanos()) {
            Thread.onSpinWait();
        }
    }
}
