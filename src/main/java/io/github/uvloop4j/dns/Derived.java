package io.github.uvloop4j.dns;

import java.util.concurrent.CompletableFuture;

/**
 * What is made of another future's value; unlike those of the JDK's own stages, its cancel reaches that future.
 *
 * @param <T> the value's type
 */
final class Derived<T> extends CompletableFuture<T> {
    private final CompletableFuture<?> source;

    /** A function that may fail. */
    interface Making<S, T> {
        T make(S value) throws Exception;
    }

    <S> Derived(CompletableFuture<S> source, Making<S, T> making) {
        this.source = source;
        source.whenComplete((value, error) -> {
            if (error != null) {
                completeExceptionally(error);
                return;
            }
            try {
                complete(making.make(value));
            } catch (Throwable failure) {
                completeExceptionally(failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            source.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
