package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.Durations;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tries again after a while what the kernel has no event for: room in another socket's backlog or queue. The pauses grow
 * from 1 ms to 50 ms.
 */
final class Retry {
    private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(50);

    private final LoopIo io;
    private long pauseNanos = FIRST;
    private @Nullable TimerHandle timer;

    Retry(LoopIo io) {
        this.io = io;
    }

    void later(Runnable action) {
        timer = io.context().at(Durations.deadline(pauseNanos), action);
        pauseNanos = Math.min(2 * pauseNanos, LONGEST);
    }

    void cancel() {
        var waiting = timer;
        timer = null;
        if (waiting != null) {
            waiting.cancel();
        }
    }
}
