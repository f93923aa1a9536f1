package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * How a future ended.
 *
 * @param value its value; null when it failed
 * @param error what it failed with (a CancellationException when it was cancelled), or null
 * @param <T> the value's type
 */
public record Outcome<T extends @Nullable Object>(
        @Nullable T value, @Nullable Throwable error) {
    /** The outcome of a future that is done. Any thread. */
    static <T extends @Nullable Object> Outcome<T> of(LoopFuture<? extends T> future) {
        var outcome = future.outcome();
        return new Outcome<>(future.valueIn(outcome), LoopFuture.errorIn(outcome));
    }

    /** Whether it has a value. */
    public boolean isSuccess() {
        return error == null;
    }

    /** The value, or throws what it failed with. */
    @SuppressWarnings("NullAway") // null is a T when the user says so
    public T get() throws Exception {
        if (error != null) {
            throw Throwables.<Exception>sneak(error);
        }
        return value;
    }
}
