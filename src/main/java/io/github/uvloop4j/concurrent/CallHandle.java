package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/** A callback that was scheduled to run in a coming turn of the loop; asyncio's {@code Handle}. */
public interface CallHandle extends Created {
    /** Keeps the callback from running, if it has not run yet. Loop thread only. */
    void cancel();

    /** Whether it was cancelled before it ran. Any thread. */
    boolean isCancelled();

    /** Where it was scheduled, when the loop runs in debug mode; else null. Any thread. */
    @Override
    @Nullable
    Throwable creation();
}
