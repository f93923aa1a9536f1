package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.uv.UvPrepare;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits of tests that are measured in turns of the loop. */
final class Turns {
    private Turns() {}

    /** Lets the loop of the calling task go round. */
    static void next(EventLoop loop, int turns) throws Exception {
        for (int i = 0; i < turns; i++) {
            var turn = loop.<Boolean>createFuture();
            loop.callSoon(() -> turn.complete(true));
            turn.await();
        }
    }

    /** Lets the loop of the calling task go round until a condition holds, for half a minute at most. */
    static void until(EventLoop loop, BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within half a minute");
            }
            var later = loop.<Boolean>createFuture();
            loop.callLater(Duration.ofMillis(1), () -> later.complete(true));
            later.await();
        }
    }

    /** How often the loop goes round while the calling task waits for 50 ms: a few times, unless it spins. */
    static int whileIdle(EventLoop loop) throws Exception {
        var count = new int[1];
        try (var prepare = new UvPrepare(loop.uv())) {
            prepare.start(() -> count[0]++);
            var later = loop.<Boolean>createFuture();
            loop.callLater(Duration.ofMillis(50), () -> later.complete(true));
            later.await();
        }
        return count[0];
    }
}
