package io.github.uvloop4j;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** The executors of a loop, which are shut down with it: delayed work would wait for ever, and those who await it. */
final class LoopExecutors {
    private static final int FIRST_LIMIT = 64;

    private final Scheduler scheduler;
    private final List<WeakReference<LoopExecutor>> made = new ArrayList<>();
    private int limit = FIRST_LIMIT;

    LoopExecutors(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** A new executor. Any thread. */
    LoopExecutor create() {
        var executor = new LoopExecutor(scheduler);
        try {
            scheduler.post(() -> add(executor));
        } catch (RejectedExecutionException closed) {
            executor.shutdownNow();
        }
        return executor;
    }

    private void add(LoopExecutor executor) {
        if (scheduler.isClosing()) {
            executor.shutdownNow();
            return;
        }
        if (made.size() >= limit) {
            made.removeIf(reference -> reference.refersTo(null));
            limit = Math.max(FIRST_LIMIT, 2 * made.size());
        }
        made.add(new WeakReference<>(executor));
    }

    /** Loop thread only. */
    void close() {
        for (var reference : made) {
            var executor = reference.get();
            if (executor != null) {
                executor.shutdownNow();
            }
        }
        made.clear();
    }
}
