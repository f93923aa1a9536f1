package io.github.uvloop4j.concurrent;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** From and to other people's futures. */
final class Bridges {
    private Bridges() {}

    static <T> LoopFuture<T> from(@Nullable LoopContext context, CompletionStage<T> stage) {
        var future = new Staged<T>(context, Objects.requireNonNull(stage, "stage"));
        stage.whenComplete((value, error) -> {
            if (error == null) {
                future.complete(value);
            } else {
                future.completeExceptionally(unwrap(error));
            }
        });
        return future;
    }

    /** The future of a stage, which is cancelled with it. */
    private static final class Staged<T> extends LoopFuture<T> {
        private final CompletionStage<T> stage;

        Staged(@Nullable LoopContext context, CompletionStage<T> stage) {
            super(context);
            this.stage = stage;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!super.cancel(mayInterruptIfRunning)) {
                return false;
            }
            try {
                stage.toCompletableFuture().cancel(mayInterruptIfRunning);
            } catch (RuntimeException unsupported) {
                // There is no future behind it, so that it goes on for nobody.
            }
            return true;
        }
    }

    static <T> LoopFuture<T> from(@Nullable LoopContext context, Awaitable<T> source) {
        if (source instanceof LoopFuture<T> ours) {
            return ours;
        }
        var future = new LoopFuture<T>(context);
        source.onDone(() -> {
            try {
                future.complete(source.result());
            } catch (Throwable error) {
                future.completeExceptionally(error);
            }
        });
        return future;
    }

    static <T extends @Nullable Object> CompletableFuture<T> toCompletableFuture(LoopFuture<T> source) {
        var target = new CompletableFuture<T>();
        source.whenDone((value, error) -> {
            if (error == null) {
                target.complete(value);
            } else if (error instanceof CancellationException) {
                target.cancel(false);
            } else {
                target.completeExceptionally(error);
            }
        });
        return target;
    }

    private static Throwable unwrap(Throwable error) {
        var inner = error;
        while (inner instanceof CompletionException || inner instanceof ExecutionException) {
            var cause = inner.getCause();
            if (cause == null) {
                break;
            }
            inner = cause;
        }
        return inner;
    }
}
