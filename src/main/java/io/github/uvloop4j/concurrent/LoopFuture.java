package io.github.uvloop4j.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that arrives later, without a lock. Anyone may complete, cancel or watch it; its callbacks always run on its
 * loop, in the order in which they were added, in a turn after the completion; once that loop is closed, none runs. A
 * future made without a loop runs them where it is completed, and what they throw goes to that thread's uncaught exception handler.
 *
 * <p>One word holds null (pending), the newest of a list of callbacks from other threads (pending), or the outcome.
 * Callbacks that are added on the loop stay in a list of the loop's own, so that adding one takes no atomic operation;
 * whoever completes from elsewhere posts the loop to look at that list.
 *
 * @param <T> the value's type
 */
public class LoopFuture<T extends @Nullable Object> implements Future<T>, Awaitable<T> {
    private static final Object NIL = new Object();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LoopFuture.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through STATE
    private @Nullable Object state;

    private final @Nullable LoopContext context;

    /** The newest callback that was added on the loop; only the loop looks at it. */
    private @Nullable Callback own;

    /** A pending future without a loop. */
    public LoopFuture() {
        this(null);
    }

    /** A pending future whose callbacks run on a loop. */
    public LoopFuture(@Nullable LoopContext context) {
        this.context = context;
    }

    /** A future that has its value already. Any thread. */
    public static <T extends @Nullable Object> LoopFuture<T> completed(@Nullable LoopContext context, T value) {
        var future = new LoopFuture<T>(context);
        future.state = value == null ? NIL : value;
        return future;
    }

    /** A future that has failed already. Any thread. */
    public static <T extends @Nullable Object> LoopFuture<T> failed(@Nullable LoopContext context, Throwable error) {
        var future = new LoopFuture<T>(context);
        future.state = new Failure(Objects.requireNonNull(error, "error"));
        return future;
    }

    /** {@link #from(LoopContext, CompletionStage)} on the current loop, if any. Any thread. */
    public static <T> LoopFuture<T> from(CompletionStage<T> stage) {
        return Bridges.from(LoopContext.current(), stage);
    }

    /**
     * A future that ends as a stage ends, with the failure itself and not its CompletionException or
     * ExecutionException. Cancelling it, as the cancel of a task that awaits it does, cancels the stage's
     * CompletableFuture. Any thread.
     */
    public static <T> LoopFuture<T> from(@Nullable LoopContext context, CompletionStage<T> stage) {
        return Bridges.from(context, stage);
    }

    /** A future of the current loop, if any, that ends as a foreign future ends. Any thread. */
    public static <T> LoopFuture<T> from(Awaitable<T> source) {
        return Bridges.from(LoopContext.current(), source);
    }

    final @Nullable LoopContext context() {
        return context;
    }

    private @Nullable Object stateAcquire() {
        return STATE.getAcquire(this);
    }

    private boolean casState(@Nullable Object expected, @Nullable Object next) {
        return STATE.compareAndSet(this, expected, next);
    }

    private static boolean pending(@Nullable Object state) {
        return state == null || state instanceof Callback;
    }

    final boolean end(Object outcome) {
        var seen = casState(null, outcome) ? null : stateAcquire();
        while (seen != null) {
            if (!pending(seen)) {
                return false;
            }
            if (casState(seen, outcome)) {
                break;
            }
            seen = stateAcquire();
        }
        var loop = context;
        if (loop != null) {
            if (loop.inLoop()) {
                fireOwn(loop);
            } else {
                postQuietly(loop, () -> fireOwn(loop));
            }
        }
        if (seen != null) {
            fireAll((Callback) seen);
        }
        return true;
    }

    /** Fires what was added on the loop. Loop thread only. */
    private void fireOwn(LoopContext loop) {
        var newest = own;
        if (newest == null) {
            return;
        }
        own = null;
        var node = newest.next == null ? newest : Callback.reverse(newest);
        while (node != null) {
            var next = node.next;
            node.next = null;
            node.fireInLoop(loop);
            node = next;
        }
    }

    private void fireAll(Callback newest) {
        var node = Callback.reverse(newest);
        while (node != null) {
            var next = node.next;
            node.next = null;
            node.fire(context);
            node = next;
        }
    }

    /** Completes it with a value; false when it had ended already. Any thread. */
    public boolean complete(T value) {
        return end(value == null ? NIL : value);
    }

    /** Makes it fail; false when it had ended already. Any thread. */
    public boolean completeExceptionally(Throwable error) {
        return end(new Failure(Objects.requireNonNull(error, "error")));
    }

    /** Cancels it; false when it had ended already. Any thread. */
    public boolean cancel() {
        return cancel(true);
    }

    /** Cancels it; the flag has no meaning here. Any thread. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return end(new Failure(new CancellationException()));
    }

    /** Has the loop told of the failure if the future is dropped before anyone asked for it. Any thread. */
    protected final void watch(String name) {
        watch("task " + name, null);
    }

    /** {@link #watch(String)} for what is not called a task, and with the place where it was made. Any thread. */
    protected final void watch(String what, @Nullable Throwable creation) {
        watch(new Unobserved.Origin(what, creation));
    }

    final void watch(Unobserved.Origin origin) {
        if (context != null) {
            Unobserved.watch(this, origin, context);
        }
    }

    final boolean endCancelled(CancellationException cancellation) {
        return end(new Failure(cancellation));
    }

    @Override
    public boolean isDone() {
        return !pending(stateAcquire());
    }

    @Override
    public boolean isCancelled() {
        return stateAcquire() instanceof Failure failure && failure.isCancellation();
    }

    /** Whether it failed or was cancelled. Any thread. */
    public boolean isCompletedExceptionally() {
        return stateAcquire() instanceof Failure;
    }

    final @Nullable Failure failure() {
        return stateAcquire() instanceof Failure failure ? failure : null;
    }

    /** What it failed with (a CancellationException when it was cancelled), or null. Any thread. */
    public @Nullable Throwable failureOrNull() {
        var failure = failure();
        return failure == null ? null : failure.observe();
    }

    /**
     * {@link #failureOrNull} for those who look on: a failure that nobody else asks for is reported as before. Any
     * thread.
     */
    public final @Nullable Throwable peekFailure() {
        var failure = failure();
        return failure == null ? null : failure.error;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // null is a T when the user says so
    private T valueOf(@Nullable Object outcome) {
        return outcome == NIL ? (T) null : (T) outcome;
    }

    /** What {@link #valueIn} and {@link #errorIn} take; for callbacks, which run when it is done. */
    final @Nullable Object outcome() {
        return stateAcquire();
    }

    /** The value in an outcome, or null when it is a failure. */
    final T valueIn(@Nullable Object outcome) {
        return valueOf(outcome instanceof Failure ? NIL : outcome);
    }

    /** The failure in an outcome, or null when it is a value. */
    static @Nullable Throwable errorIn(@Nullable Object outcome) {
        return outcome instanceof Failure failure ? failure.observe() : null;
    }

    @Override
    public T result() throws Exception {
        var outcome = stateAcquire();
        if (pending(outcome)) {
            throw new IllegalStateException("the future is not done");
        }
        if (outcome instanceof Failure failure) {
            throw Throwables.<Exception>sneak(failure.observe());
        }
        return valueOf(outcome);
    }

    /**
     * Waits for the end. In a task it parks the task; on a thread outside any loop it blocks the thread. Any thread but
     * the bare loop thread.
     *
     * @return the value
     * @throws IllegalStateException on the bare loop thread, when it is not done: waiting would stop the loop
     * @throws CancellationException when it, or the waiting task, was cancelled
     * @throws Exception what it failed with, itself
     */
    public T await() throws Exception {
        var outcome = stateAcquire();
        if (pending(outcome)) {
            Waits.await(this, 0);
            outcome = stateAcquire();
        }
        if (outcome instanceof Failure failure) {
            throw Throwables.<Exception>sneak(failure.observe());
        }
        return valueOf(outcome);
    }

    /** {@link #await()} with a limit; the future itself stays as it is when the time is over. */
    public T await(Duration limit) throws Exception {
        if (!isDone() && !Waits.await(this, Math.max(1, TimeUnit.NANOSECONDS.convert(limit)))) {
            throw new TimeoutException("not done after " + limit);
        }
        return result();
    }

    /** As {@link #await()}, with the failure wrapped. */
    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            Waits.await(this, 0);
        }
        return resultWrapped();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone() && (timeout <= 0 || !Waits.await(this, unit.toNanos(timeout)))) {
            throw new TimeoutException("not done after " + timeout + " " + unit);
        }
        return resultWrapped();
    }

    private T resultWrapped() throws ExecutionException {
        var outcome = stateAcquire();
        if (outcome instanceof Failure failure) {
            if (failure.observe() instanceof CancellationException cancellation) {
                throw cancellation;
            }
            throw new ExecutionException(failure.error);
        }
        return valueOf(outcome);
    }

    /** Calls a consumer with the value or the failure, the other one being null. Any thread. */
    public LoopFuture<T> whenDone(BiConsumer<? super T, ? super @Nullable Throwable> consumer) {
        return add(new Stages.WhenDone<>(this, Objects.requireNonNull(consumer, "consumer")));
    }

    @Override
    public void onDone(Runnable action) {
        add(new Stages.Action(Objects.requireNonNull(action, "action")));
    }

    /** A future that ends after a consumer took the value. Any thread. */
    public LoopFuture<@Nullable Void> then(Consumer<? super T> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return map(value -> {
            consumer.accept(value);
            return null;
        });
    }

    /** A future of the function's result. Any thread. */
    public <R extends @Nullable Object> LoopFuture<R> map(Function<? super T, ? extends R> function) {
        var stage = new Stages.Map<T, R>(this, Objects.requireNonNull(function, "function"));
        add(stage);
        return stage.target;
    }

    /** A future that ends as the function's future ends. Any thread. */
    public <R extends @Nullable Object> LoopFuture<R> compose(Function<? super T, ? extends LoopFuture<R>> function) {
        var stage = new Stages.Compose<T, R>(this, Objects.requireNonNull(function, "function"));
        add(stage);
        return stage.target;
    }

    /** A future of the function's result, which is called with the value or the failure. Any thread. */
    public <R extends @Nullable Object> LoopFuture<R> handle(
            BiFunction<? super T, ? super @Nullable Throwable, ? extends R> function) {
        var stage = new Stages.Handle<T, R>(this, Objects.requireNonNull(function, "function"));
        add(stage);
        return stage.target;
    }

    /**
     * A future that ends as this one ends, but keeps cancels from it: a task that awaits the shield can be cancelled
     * while this one goes on. A failure that comes after that goes to the loop's exception handler. Any thread.
     */
    public LoopFuture<T> shield() {
        return Shield.of(this);
    }

    /**
     * A CompletableFuture that ends as this one ends, on the loop thread: stages that are added to it run there unless
     * they are async. It is the caller's own: completing or cancelling it does not reach back. Any thread.
     */
    public CompletableFuture<T> toCompletableFuture() {
        return Bridges.toCompletableFuture(this);
    }

    /** A stage that ends as this one ends and that nobody else can complete or cancel. Any thread. */
    public CompletionStage<T> toCompletionStage() {
        return Bridges.toCompletableFuture(this).minimalCompletionStage();
    }

    final LoopFuture<T> add(Callback callback) {
        var surroundings = context == null ? null : context.capture();
        var node = surroundings == null ? callback : new Callback.Enclosed(surroundings, callback);
        if (!push(node)) {
            node.fire(context);
        }
        return this;
    }

    /** Adds a node to a list; false when the future is done and the node may fire at once. */
    final boolean push(Callback callback) {
        var loop = context;
        if (loop != null && loop.inLoop()) {
            var first = own;
            if (first == null && !pending(stateAcquire())) {
                return false;
            }
            // Done, but not all have fired: the order of adding is kept.
            callback.next = first;
            own = callback;
            return true;
        }
        while (true) {
            var seen = stateAcquire();
            if (!pending(seen)) {
                callback.next = null;
                return false;
            }
            callback.next = (Callback) seen;
            if (casState(seen, callback)) {
                return true;
            }
        }
    }

    /** Takes the newest node back; false when it is not the newest any more. */
    final boolean removeNewest(Callback callback) {
        var loop = context;
        if (own == callback && loop != null && loop.inLoop()) {
            own = callback.next;
            callback.next = null;
            return true;
        }
        return casState(callback, callback.next);
    }

    static void postQuietly(LoopContext context, Runnable action) {
        try {
            context.post(action);
        } catch (RejectedExecutionException closed) {
            // A worker that ends after its loop has closed: nobody is left to be told.
        }
    }

    @Override
    public String toString() {
        var seen = stateAcquire();
        var what = pending(seen)
                ? "pending"
                : seen instanceof Failure failure
                        ? failure.isCancellation() ? "cancelled" : "failed with " + failure.error
                        : "done";
        return getClass().getSimpleName() + '@' + Integer.toHexString(System.identityHashCode(this)) + '[' + what + ']';
    }
}
