package io.github.uvloop4j.concurrent;

/**
 * Something that ends once, with a value or a failure, and can say so: the little that a task needs to know of a future
 * in order to wait for it. {@link LoopFuture} is ours; others may implement it and be awaited by
 * {@link LoopFuture#from(Awaitable)}.
 *
 * @param <T> the value's type
 */
public interface Awaitable<T> {
    /** Whether it has ended. Any thread. */
    boolean isDone();

    /** Runs an action once it has ended, at once or later, on a thread of its choice. Any thread. */
    void onDone(Runnable action);

    /**
     * The value. Any thread.
     *
     * @throws IllegalStateException when it has not ended
     * @throws Exception what it failed with
     */
    T result() throws Exception;
}
