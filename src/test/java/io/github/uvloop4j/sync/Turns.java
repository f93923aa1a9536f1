package io.github.uvloop4j.sync;

import io.github.uvloop4j.EventLoop;

/** Drives a loop by hand. */
final class Turns {
    private Turns() {}

    /** Enough turns for what a test has started to come to rest. */
    static void of(EventLoop loop) {
        for (int i = 0; i < 6; i++) {
            loop.runOnce();
        }
    }

    /** Keeps the thread busy until a limit of a millisecond that was set before is over. */
    static void pastOneMilli() {
        long start = System.nanoTime();
        while (System.nanoTime() - start <= 1_000_000) {
            Thread.onSpinWait();
        }
    }
}
