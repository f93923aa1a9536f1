package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/** A callback with a deadline: an entry of the heap and, once it is due, of the ready queue. */
final class DeadlineCall extends DeadlineHeap.Entry implements TimerHandle, Runnable {
    private final Scheduler scheduler;
    private final DeadlineHeap heap;
    private @Nullable Runnable action;

    /** The action while it runs, for those who look at what takes so long. */
    private @Nullable Runnable running;

    private volatile boolean cancelled;
    private final @Nullable Throwable creation;

    /** A call of an action at a deadline; the caller adds it to the heap. */
    DeadlineCall(Scheduler scheduler, DeadlineHeap heap, long deadline, Runnable action, @Nullable Throwable creation) {
        super(deadline);
        this.scheduler = scheduler;
        this.heap = heap;
        this.action = action;
        this.creation = creation;
    }

    @Override
    public long when() {
        return deadline();
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
            heap.remove(this);
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
        return "timer " + (cancelled ? "cancelled" : what == null ? "done" : what.toString());
    }
}
