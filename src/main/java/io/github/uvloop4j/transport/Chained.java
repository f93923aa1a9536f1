package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One step, and another with what comes of it. Cancelling gives up the step that is under way. Loop thread only, but for
 * what a future allows.
 *
 * @param <T> what comes of the second
 */
final class Chained<T extends @Nullable Object> extends LoopFuture<T> {
    private volatile LoopFuture<?> underWay;

    /** What comes of the second when nobody wants it any more goes to a consumer. */
    <S> Chained(LoopIo io, LoopFuture<S> first, Function<S, LoopFuture<T>> second, Consumer<T> unwanted) {
        super(io.context());
        underWay = first;
        first.whenDone((found, error) -> {
            if (error != null) {
                completeExceptionally(error);
            } else if (!isDone()) {
                follow(found, second, unwanted);
            }
        });
    }

    private <S> void follow(S found, Function<S, LoopFuture<T>> second, Consumer<T> unwanted) {
        LoopFuture<T> next;
        try {
            next = second.apply(found);
        } catch (Throwable error) {
            completeExceptionally(error);
            return;
        }
        underWay = next;
        next.whenDone((made, error) -> {
            if (error != null) {
                completeExceptionally(error);
            } else if (!complete(made)) {
                unwanted.accept(made);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            underWay.cancel();
        }
        return cancelled;
    }
}
