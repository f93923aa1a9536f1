package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * A future that ends as another does, but keeps cancels from it. It shares the other's failure, and holds the other, so
 * that a failure which nobody looks at through either is told once.
 */
final class Shield<T extends @Nullable Object> extends LoopFuture<T> {
    private final LoopFuture<T> source;

    private Shield(LoopFuture<T> source) {
        super(source.context());
        this.source = source;
    }

    static <T extends @Nullable Object> LoopFuture<T> of(LoopFuture<T> source) {
        var shield = new Shield<>(source);
        source.onDone(shield::pass);
        return shield;
    }

    private void pass() {
        var failure = source.failure();
        if (failure == null) {
            complete(source.valueIn(source.outcome()));
        } else if (!end(failure) && !failure.isCancellation()) {
            var loop = source.context();
            if (loop != null) {
                loop.report("a future failed behind its cancelled shield", failure.observe(), source);
            }
        }
    }
}
