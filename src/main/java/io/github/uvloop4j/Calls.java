package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Calls into a loop that wait for their result. */
final class Calls {
    private Calls() {}

    static <T extends @Nullable Object> T call(EventLoop loop, Scheduler scheduler, Callable<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        checkMayWait(scheduler, "call");
        if (!loop.isRunning() && !loop.isClosed()) {
            throw new IllegalStateException(loop + " does not run, so that nobody would answer:"
                    + " start it, or use submit, or call with a limit");
        }
        var future = loop.submit(body);
        try {
            return future.await();
        } finally {
            future.cancel();
        }
    }

    static <T extends @Nullable Object> T call(EventLoop loop, Scheduler scheduler, Duration limit, Callable<T> body)
            throws Exception {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(body, "body");
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("limit must be above 0: " + limit);
        }
        checkMayWait(scheduler, "call");
        var future = loop.submit(body);
        try {
            return future.await(limit);
        } finally {
            future.cancel();
        }
    }

    /** Throws where waiting for a loop would keep that loop, or another one, from running. */
    static void checkMayWait(Scheduler scheduler, String what) {
        var here = LoopContext.current();
        boolean stopsOther = here != null && here.isRunning() && here.currentTask() == null;
        if (stopsOther || !scheduler.uv().isClosed() && scheduler.inLoop() && scheduler.currentTask() == null) {
            throw new IllegalStateException("deadlock: " + what + " would wait for " + scheduler.loop()
                    + " on the thread of " + (scheduler.inLoop() ? "that loop" : "another loop")
                    + ": call it in a task (loop.spawn) or on a thread of its own");
        }
    }
}
