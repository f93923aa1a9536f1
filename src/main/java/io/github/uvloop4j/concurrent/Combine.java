package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One future out of many, and many inputs through few tasks. The futures may belong to several loops; what comes out
 * belongs to the loop of the caller, if any. Cancelling it cancels all that it is made of; it ends as cancelled once they
 * have ended, whatever they made of it.
 */
public final class Combine {
    /** A step for each input, which may throw and await. */
    @FunctionalInterface
    public interface Step<I extends @Nullable Object, R extends @Nullable Object> {
        /** Does it. */
        R apply(I input) throws Exception;
    }

    private Combine() {}

    private static <F extends LoopFuture<?>> List<F> copy(Collection<? extends F> futures) {
        var copy = new ArrayList<F>(Objects.requireNonNull(futures, "futures").size());
        for (F future : futures) {
            copy.add(Objects.requireNonNull(future, () -> "futures[" + copy.size() + "]"));
        }
        return Collections.unmodifiableList(copy);
    }

    private static <F extends LoopFuture<?>> List<F> some(Collection<? extends F> futures) {
        var list = Combine.<F>copy(futures);
        if (list.isEmpty()) {
            throw new IllegalArgumentException("no futures to wait for");
        }
        return list;
    }

    /**
     * All values, in the order of the futures; asyncio's {@code gather}. It fails as soon as one fails or is cancelled;
     * the others go on, so that tasks which shall end together belong into a {@link TaskGroup}, and what they fail with
     * after that stays theirs. Any thread.
     */
    public static <T extends @Nullable Object> LoopFuture<List<T>> gather(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = Combine.<LoopFuture<? extends T>>copy(futures);
        if (sources.isEmpty()) {
            return LoopFuture.completed(LoopContext.current(), List.of());
        }
        return Joined.of("gather", sources, (joined, source, last) -> {
            joined.failAs(source);
            if (last) {
                sources.forEach(joined::failAs);
                if (!joined.isDone()) {
                    joined.complete(all(sources, each -> each.valueIn(each.outcome())));
                }
            }
        });
    }

    private static <F, R extends @Nullable Object> List<R> all(
            List<? extends F> sources, Function<? super F, ? extends R> function) {
        var all = new ArrayList<R>(sources.size());
        sources.forEach(source -> all.add(function.apply(source)));
        return Collections.unmodifiableList(all);
    }

    /** How each future ended, in their order, when all have ended; never fails, but can be cancelled. Any thread. */
    public static <T extends @Nullable Object> LoopFuture<List<Outcome<T>>> gatherOutcomes(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = Combine.<LoopFuture<? extends T>>copy(futures);
        if (sources.isEmpty()) {
            return LoopFuture.completed(LoopContext.current(), List.of());
        }
        return Joined.of("gatherOutcomes", sources, (joined, source, last) -> {
            if (last) {
                joined.complete(all(sources, Outcome::of));
            }
        });
    }

    /**
     * The first future that ends, in whatever way; the others go on. Of those that are done already it is the first in
     * the list. Any thread.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static <F extends LoopFuture<?>> LoopFuture<F> firstCompleted(Collection<? extends F> futures) {
        var sources = Combine.<F>some(futures);
        return Joined.of("firstCompleted", sources, (joined, source, last) -> {
            @SuppressWarnings("unchecked") // it is one of the sources
            F first = (F) source;
            joined.complete(first);
        });
    }

    /**
     * The first value that comes; the other futures go on. When all fail it fails with a {@link TaskGroupException}
     * that has all failures, the first to happen first; when all were cancelled it is cancelled. Any thread.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static <T extends @Nullable Object> LoopFuture<T> firstSuccessful(
            Collection<? extends LoopFuture<? extends T>> futures) {
        var sources = Combine.<LoopFuture<? extends T>>some(futures);
        var failures = new ConcurrentLinkedQueue<Throwable>();
        return Joined.of("firstSuccessful", sources, (joined, ended, last) -> {
            @SuppressWarnings("unchecked") // it is one of the sources
            var source = (LoopFuture<? extends T>) ended;
            var error = source.failureOrNull();
            if (error == null) {
                joined.complete(source.valueIn(source.outcome()));
                return;
            }
            failures.add(error);
            if (last) {
                allFailed(joined, failures);
            }
        });
    }

    private static void allFailed(Joined<?> joined, Collection<Throwable> failures) {
        var distinct = Collections.<Throwable>newSetFromMap(new IdentityHashMap<>());
        var errors = failures.stream()
                .filter(error -> !(error instanceof CancellationException) && distinct.add(error))
                .toList();
        joined.fail(errors.isEmpty() ? failures.iterator().next() : new TaskGroupException("firstSuccessful", errors));
    }

    /**
     * The futures in the order in which they end, those that are done already first, in the order of the list;
     * asyncio's {@code as_completed}. Each future is done when it comes. The iterator's {@code next} parks the calling
     * task, or blocks a thread that is in no loop; a cancel there loses none. An iterator is for one task or thread.
     * Any thread.
     */
    public static <F extends LoopFuture<?>> Iterable<F> asCompleted(Collection<? extends F> futures) {
        return new Completions<F>(copy(futures));
    }

    /**
     * Applies a step to each input, with at most so many tasks at a time, and returns the results in the order of the
     * inputs. Inputs are drawn one at a time, by the calling task, when there is a task to spare. The first failure
     * cancels what runs and draws no more. In a task only.
     *
     * @param limit at least 1
     * @throws TaskGroupException when a step or the iterator failed
     * @throws CancellationException when the calling task was cancelled, or a step was
     */
    public static <I extends @Nullable Object, R extends @Nullable Object> List<R> mapConcurrently(
            int limit, Iterable<? extends I> inputs, Step<? super I, ? extends R> step) throws Exception {
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(step, "step");
        var results = new ArrayList<@Nullable R>();
        new Drawing("mapConcurrently", limit).run(inputs, input -> {
            int index = results.size();
            results.add(null);
            return () -> results.set(index, step.apply(input));
        });
        @SuppressWarnings("NullAway") // null is an R when the user says so
        List<R> all = (List<R>) results;
        return Collections.unmodifiableList(all);
    }

    /** {@link #mapConcurrently} without results. In a task only. */
    public static <I extends @Nullable Object> void forEachConcurrently(
            int limit, Iterable<? extends I> inputs, Step<? super I, ?> step) throws Exception {
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(step, "step");
        new Drawing("forEachConcurrently", limit).run(inputs, input -> () -> step.apply(input));
    }

    /**
     * Runs bodies as tasks; the value of the first that succeeds, the others being cancelled and waited for. A value
     * that comes too late, or that cannot be returned since the calling task was cancelled, is closed if it is an
     * {@link AutoCloseable}. What the others fail with after the first has succeeded goes to the loop's exception
     * handler. In a task only.
     *
     * @throws TaskGroupException when all failed, or one with an {@link Error}
     * @throws CancellationException when the calling task was cancelled, or all bodies were
     * @throws IllegalArgumentException when there is none
     */
    public static <T extends @Nullable Object> T race(Collection<? extends Callable<? extends T>> bodies)
            throws Exception {
        var runners = List.<Callable<? extends T>>copyOf(Objects.requireNonNull(bodies, "bodies"));
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
