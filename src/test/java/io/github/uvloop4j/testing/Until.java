package io.github.uvloop4j.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits in a test for what another thread brings about. */
public final class Until {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Until() {}

    /** Returns once a condition holds; fails after half a minute. */
    public static void holds(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within half a minute: " + what);
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted while waiting for: " + what, e);
            }
        }
    }

    /** Whether a thread waits in Java: parked, for a monitor, or asleep. */
    public static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }
}
