package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.observe.Observers;
import org.jspecify.annotations.Nullable;

/** What tasks need of their loop beyond its context. */
public interface TaskHost extends LoopContext {
    /** The thread that runs the loop now, or null. Any thread. */
    @Nullable
    Thread loopThread();

    /** How many callbacks and task steps the loop has run; changes while it makes progress. Any thread. */
    long progress();

    /** Who is told of its tasks. Any thread. */
    Observers observers();

    /** Whether a thread other than the loop's uses the loop, while a callback on the loop thread is blocked. Any thread. */
    void lend(boolean lent);
}
