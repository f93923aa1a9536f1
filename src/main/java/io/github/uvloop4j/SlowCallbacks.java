package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Debug mode's warning about a callback, timer or task step that kept the loop too long. */
final class SlowCallbacks {
    private SlowCallbacks() {}

    /** Before it runs: it may forget what it was. None is a callback of an event. */
    static String describe(@Nullable Runnable action) {
        if (action == null) {
            return "a callback";
        }
        try {
            return action.toString();
        } catch (Throwable broken) {
            return action.getClass().getName();
        }
    }

    static void run(Scheduler scheduler, Runnable action, Duration limit) {
        var what = describe(action);
        long start = System.nanoTime();
        scheduler.run(action);
        long took = System.nanoTime() - start;
        if (took >= TimeUnit.NANOSECONDS.convert(limit)) {
            var creation = action instanceof CallHandle call
                    ? call.creation()
                    : action instanceof Task<?> task ? task.creation() : null;
            LoopLog.warn("slow: " + what + " took " + took / 1_000_000 + " ms", creation);
        }
    }
}
