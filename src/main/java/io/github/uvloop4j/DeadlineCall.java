package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/** A callback with a deadline: an entry of the heap and, once it is due, of the ready queue. */
final class DeadlineCall extends DeadlineHeap.Entry implements TimerHandle, Runnable {
    private final Scheduler scheduler;
    private final DeadlineHeap heap;
    private @Nullable Runnable action;
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
            once.run();
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
        var what = action;
        return "timer " + (cancelled ? "cancelled" : what == null ? "done" : what.toString());
    }
}
