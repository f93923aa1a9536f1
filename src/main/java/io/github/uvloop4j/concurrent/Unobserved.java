package io.github.uvloop4j.concurrent;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/** Reports a future that failed and was dropped without anyone having looked at its failure. */
final class Unobserved {
    /**
     * What failed. It stands in for the future, which is garbage by the time it is reported.
     *
     * @param what like {@code task reader}
     */
    record Origin(String what, @Nullable Throwable creation) implements Created {
        @Override
        public String toString() {
            return what;
        }
    }

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
    static void watch(LoopFuture<?> future, Origin origin, LoopContext loop) {
        var failure = future.failure();
        if (failure == null || failure.isCancellation()) {
            return;
        }
        failure.owner = origin;
        if (failure.observed) {
            return;
        }
        Lazy.CLEANER.register(future, () -> {
            if (!failure.observed) {
                var source = origin.creation == null ? null : origin;
                loop.report(origin.what + " failed and nobody asked for its result", failure.error, source);
            }
        });
    }
}
