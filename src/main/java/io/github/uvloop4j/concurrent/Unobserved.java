package io.github.uvloop4j.concurrent;

import java.lang.ref.Cleaner;

/** Reports a task that failed and was dropped without anyone having looked at its failure. */
final class Unobserved {
    private static final class Lazy {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private Unobserved() {}

    /** Watches a task that has just failed. Must not capture the task: it would never be dropped. */
    static void watch(Task<?> task, LoopContext loop) {
        var failure = task.failure();
        if (failure == null || failure.observed) {
            return;
        }
        var name = task.name();
        Lazy.CLEANER.register(task, () -> {
            if (!failure.observed) {
                loop.report("task " + name + " failed and nobody asked for its result", failure.error, null);
            }
        });
    }
}
