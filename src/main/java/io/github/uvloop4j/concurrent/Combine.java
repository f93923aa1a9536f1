package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One future out of many, and many inputs through few tasks. The futures may belong to several loops; what comes out
 * belongs to the loop of the caller, if any. Cancelling it cancels those that it waits for.
 */
public final class Combine {
    /** A step for each input, which may throw and await. */
    @FunctionalInterface
    public interface Step<I extends @Nullable Object, R extends @Nullable Object> {
        /** Does it. */
        R apply(I input) throws Exception;
    }

    private Combine() {}

    private static <F extends LoopFuture<?>> List<F> some(Collection<? extends F> futures) {
        var list = List.<F>copyOf(futures);
        if (list.isEmpty()) {
            throw new IllegalArgumentException("no futures to wait for");
        }
        return list;
    }

    /** A future that reaches back to those that it is made of. */
    private static final class Joined<T extends @Nullable Object> extends LoopFuture<T> {
        private final List<? extends LoopFuture<?>> sources;

        Joined(List<? extends LoopFuture<?>> sources) {
            super(LoopContext.current());
            this.sources = sources;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (isDone()) {
                return false;
            }
            boolean reached = false;
            for (var source : sources) {
                reached |= source.cancel(mayInterruptIfRunning);
            }
            return super.cancel(mayInterruptIfRunning) || reached;
        }
    }

    /**
     * All values, in the order of the futures; asyncio's {@code gather}. It fails as soon as one fails; the others go
     * on, so that tasks which shall end together belong into a {@link TaskGroup}. Any thread.
     */
    public static <T extends @Nullable Object> LoopFuture<List<T>> gather(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = List.copyOf(futures);
        var joined = new Joined<List<T>>(sources);
        var left = new AtomicInteger(sources.size());
        if (sources.isEmpty()) {
            joined.complete(List.of());
        }
        for (var source : sources) {
            source.whenDone((value, error) -> {
                if (error != null) {
                    joined.completeExceptionally(error);
                } else if (left.decrementAndGet() == 0) {
                    var values = new ArrayList<T>(sources.size());
                    sources.forEach(each -> values.add(each.valueIn(each.outcome())));
                    joined.complete(values);
                }
            });
        }
        return joined;
    }

    /** How each future ended, in their order, when all have ended; never fails, but can be cancelled. Any thread. */
    public static <T extends @Nullable Object> LoopFuture<List<Outcome<T>>> gatherOutcomes(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = List.copyOf(futures);
        var joined = new Joined<List<Outcome<T>>>(sources);
        var left = new AtomicInteger(sources.size());
        if (sources.isEmpty()) {
            joined.complete(List.of());
        }
        for (var source : sources) {
            source.onDone(() -> {
                if (left.decrementAndGet() == 0) {
                    var outcomes = new ArrayList<Outcome<T>>(sources.size());
                    sources.forEach(each -> outcomes.add(Outcome.of(each)));
                    joined.complete(outcomes);
                }
            });
        }
        return joined;
    }

    /**
     * The first future that ends, in whatever way; the others go on. Any thread.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static <F extends LoopFuture<?>> LoopFuture<F> firstCompleted(Collection<? extends F> futures) {
        var sources = Combine.<F>some(futures);
        var joined = new Joined<F>(sources);
        for (var source : sources) {
            source.onDone(() -> joined.complete(source));
        }
        return joined;
    }

    /**
     * The first value that comes; the other futures go on. When all fail it fails as the first of them did, with what
     * the others failed with as suppressed. Any thread.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static <T extends @Nullable Object> LoopFuture<T> firstSuccessful(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = Combine.<LoopFuture<? extends T>>some(futures);
        var joined = new Joined<T>(sources);
        var left = new AtomicInteger(sources.size());
        for (var source : sources) {
            source.whenDone((value, error) -> {
                if (error == null) {
                    joined.complete(value);
                } else if (left.decrementAndGet() == 0) {
                    joined.completeExceptionally(allFailed(sources));
                }
            });
        }
        return joined;
    }

    private static Throwable allFailed(List<? extends LoopFuture<?>> sources) {
        Throwable first = null;
        for (var source : sources) {
            var error = source.failureOrNull();
            if (first == null) {
                first = error;
            } else if (error != null && error != first) {
                first.addSuppressed(error);
            }
        }
        return first == null ? new CancellationException() : first;
    }

    /**
     * The futures in the order in which they end; asyncio's {@code as_completed}. The iterator's {@code next} parks the
     * calling task. Each future is done when it comes. Any thread; iterate in a task.
     */
    public static <F extends LoopFuture<?>> Iterable<F> asCompleted(Collection<? extends F> futures) {
        return new Completions<F>(List.copyOf(futures));
    }

    /**
     * Applies a step to each input, with at most so many tasks at a time, and returns the results in the order of the
     * inputs. Inputs are drawn only as they are needed. The first failure cancels what runs and starts no more. In a
     * task only.
     *
     * @param limit at least 1
     * @throws TaskGroupException when a step failed
     */
    public static <I extends @Nullable Object, R extends @Nullable Object> List<R> mapConcurrently(
            int limit, Iterable<? extends I> inputs, Step<? super I, ? extends R> step) throws Exception {
        var results = new ArrayList<@Nullable R>();
        new Drawing<I>(inputs, results).run(limit, (input, index) -> results.set(index, step.apply(input)));
        @SuppressWarnings("NullAway") // null is an R when the user says so
        List<R> all = (List<R>) results;
        return all;
    }

    /** {@link #mapConcurrently} without results. In a task only. */
    public static <I extends @Nullable Object> void forEachConcurrently(
            int limit, Iterable<? extends I> inputs, Step<? super I, ?> step) throws Exception {
        new Drawing<I>(inputs, null).run(limit, (input, index) -> step.apply(input));
    }

    /**
     * Runs bodies as tasks; the value of the first that succeeds, the others being cancelled and waited for. In a task
     * only.
     *
     * @throws TaskGroupException when all failed
     * @throws IllegalArgumentException when there is none
     */
    public static <T extends @Nullable Object> T race(Collection<? extends Callable<? extends T>> bodies)
            throws Exception {
        var runners = List.<Callable<? extends T>>copyOf(bodies);
        if (runners.isEmpty()) {
            throw new IllegalArgumentException("nobody to race");
        }
        return new Race<T>(runners).run();
    }

    /** {@link #race(Collection)}. In a task only. */
    @SafeVarargs
    @SuppressWarnings("varargs") // copied, never written to
    public static <T extends @Nullable Object> T race(Callable<? extends T>... bodies) throws Exception {
        return Combine.<T>race(List.of(bodies));
    }
}
