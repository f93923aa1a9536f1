package io.github.uvloop4j.concurrent;

import java.lang.ref.Cleaner;

/** Reports a future that failed and was dropped without anyone having looked at its failure. */
final class Unobserved {
    private static final class Lazy {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private Unobserved() {}

    /** Watches a stage that failed as its source did: looking at the source's failure was only passing it on. */
    static void pass(LoopFuture<?> source, LoopFuture<?> stage) {
        var from = source.failure();
        var to = stage.failure();
        if (from != null && to != null && from.owner != null && from.error == to.error) {
            stage.watch(from.owner);
        }
    }

    /** Watches a future that has just failed. The action must not refer to it: it would never be dropped. */
    static void watch(LoopFuture<?> future, String name, LoopContext loop) {
        var failure = future.failure();
        if (failure == null || failure.isCancellation()) {
            return;
        }
        failure.owner = name;
        if (failure.observed) {
            return;
        }
        Lazy.CLEANER.register(future, () -> {
            if (!failure.observed) {
                loop.report("task " + name + " failed and nobody asked for its result", failure.error, null);
            }
        });
    }
}
