package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.CallHandle;
import org.jspecify.annotations.Nullable;

/** The call itself, which is also what the ready queue holds. */
final class ScheduledCall implements CallHandle, Runnable {
    private final Scheduler scheduler;
    private @Nullable Runnable action;

    /** The action while it runs, for those who look at what takes so long. */
    private @Nullable Runnable running;

    private volatile boolean cancelled;
    private final @Nullable Throwable creation;

    /** A call of an action, with the place of its creation or null. */
    ScheduledCall(Scheduler scheduler, Runnable action, @Nullable Throwable creation) {
        this.scheduler = scheduler;
        this.action = action;
        this.creation = creation;
    }

    @Override
    public void run() {
        var once = action;
        action = null;
        if (once != null) {
            running = once;
            try {
                once.run();
            } finally {
                running = null;
            }
        }
    }

    @Override
    public void cancel() {
        scheduler.checkThread();
        if (action != null) {
            action = null;
            cancelled = true;
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public String toString() {
        var now = running;
        var what = now == null ? action : now;
        return "callback " + (cancelled ? "cancelled" : what == null ? "done" : what.toString());
    }
}
