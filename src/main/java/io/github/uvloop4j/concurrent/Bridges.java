package io.github.uvloop4j.concurrent;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** From and to other people's futures. */
final class Bridges {
    private Bridges() {}

    static <T> LoopFuture<T> from(@Nullable LoopContext context, CompletionStage<T> stage) {
        var future = new LoopFuture<T>(context);
        stage.whenComplete((value, error) -> {
            if (error == null) {
                future.complete(value);
            } else {
                future.completeExceptionally(unwrap(error));
            }
        });
        return future;
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
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
