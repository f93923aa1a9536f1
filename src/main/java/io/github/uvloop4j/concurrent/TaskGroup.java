package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that end together. The first failure cancels the others; the group ends when all have ended, and throws all
 * failures at once. A cancel of the task that owns the group cancels its children, waits for them and passes through.
 *
 * {@snippet :
 * TaskGroup.run(group -> {
 *     group.spawn(() -> fetch("a"));
 *     group.spawn(() -> fetch("b"));
 * });
 * }
 *
 * <p>In this form a failing child also cuts off the body. As a resource, which cannot see how its body ends, a group
 * needs {@link #join} as the body's last statement, and only that sees the failures:
 *
 * {@snippet :
 * try (var group = TaskGroup.open()) {
 *     group.spawn(() -> fetch("a"));
 *     group.join();
 * }
 * }
 *
 * <p>A child that is cancelled alone is no failure. A child that does not end within the grace period of its cancel is
 * reported with its name and stack, and cancelled again. Loop thread only.
 */
public final class TaskGroup implements AutoCloseable {
    /** What a group's owner does. */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        /** Starts tasks and does its own part. */
        T call(TaskGroup group) throws Exception;
    }

    /** {@link Body} without a result. */
    @FunctionalInterface
    public interface VoidBody {
        /** Starts tasks and does its own part. */
        void run(TaskGroup group) throws Exception;
    }

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Task<?> owner;
    private final LoopContext loop;
    private final String name;
    private final int requestsBefore;
    private final int shields;
    private final Set<Task<?>> children = new LinkedHashSet<>();
    private final GroupFailures failures = new GroupFailures();
    private @Nullable BiConsumer<? super Task<?>, ? super Throwable> listener;
    private @Nullable Duration cancelGrace;
    private @Nullable CancelRequest bodyCancel;
    private int spawned;
    private boolean inBody;
    private @Nullable LoopFuture<@Nullable Void> drained;
    private boolean cancelled;
    private boolean ended;

    private TaskGroup(String name) {
        this.owner = Task.running("a task group");
        this.loop = Objects.requireNonNull(owner.context());
        this.name = name;
        this.shields = owner.shields();
        this.requestsBefore = owner.toldCancels();
    }

    /** A group of the calling task, to be used as a resource. In a task only. */
    public static TaskGroup open() {
        return new TaskGroup("group-" + NAMES.incrementAndGet());
    }

    /** {@link #open()} with a name, which messages and the names of its tasks carry. */
    public static TaskGroup open(String name) {
        return new TaskGroup(Objects.requireNonNull(name, "name"));
    }

    /**
     * Runs a body that starts tasks, and waits until all have ended. In a task only.
     *
     * @throws TaskGroupException when the body or a child failed
     * @throws CancellationException when the calling task was cancelled, with what failed meanwhile as suppressed, or
     *     when {@link #cancel} cut the body off, so that there is no value
     */
    public static <T extends @Nullable Object> T call(Body<T> body) throws Exception {
        return open().callBody(Objects.requireNonNull(body, "body"));
    }

    /** {@link #call} without a result; returns normally when {@link #cancel} cut the body off. In a task only. */
    public static void run(VoidBody body) throws Exception {
        Objects.requireNonNull(body, "body");
        open().<@Nullable Void>endBody(group -> {
            body.run(group);
            return null;
        });
    }

    private <T extends @Nullable Object> T callBody(Body<T> body) throws Exception {
        var result = endBody(body);
        if (result == null) {
            throw new CancellationException("group " + name + " was cancelled");
        }
        return result.value();
    }

    private record Result<T extends @Nullable Object>(T value) {}

    private <T extends @Nullable Object> @Nullable Result<T> endBody(Body<T> body) throws Exception {
        Result<T> result = null;
        Throwable outside = null;
        inBody = true;
        try {
            result = new Result<>(body.call(this));
        } catch (Throwable error) {
            outside = bodyFailed(error);
        } finally {
            inBody = false;
            takeBack();
        }
        try {
            end(outside);
        } catch (Throwable error) {
            if (result != null) {
                owner.drop("group " + name + " was cut off", result.value());
            }
            throw error;
        }
        return result;
    }

    /** Sorts out why the body did not return; what is not the group's own doing comes back. */
    private @Nullable Throwable bodyFailed(Throwable error) {
        boolean asked = bodyCancel != null;
        int requests = takeBack();
        if (!Interrupts.isCancel(error)) {
            if (!failures.contain(error)) {
                failed(null, error);
            }
            if (loop.isFatal(error)) {
                loop.report("the body of group " + name + " failed", error, owner);
            }
            return null;
        }
        if (asked && requests <= requestsBefore) {
            takeSuppressed(null, error);
            return null;
        }
        cancelChildren();
        return error;
    }

    private int takeBack() {
        var request = bodyCancel;
        bodyCancel = null;
        return request == null ? owner.cancelling(shields) : owner.withdraw(request);
    }

    /** Starts a child. A group that is being cancelled starts no more: the child is cancelled before its first step. */
    public <T extends @Nullable Object> Task<T> spawn(Callable<T> body) {
        return spawn(name + '/' + (spawned + 1), body);
    }

    /** {@link #spawn(Callable)} without a result. */
    public Task<@Nullable Void> spawn(TaskBody body) {
        return spawn(body.asCallable());
    }

    /**
     * Starts a child with a name.
     *
     * @throws IllegalStateException on another thread than the loop's, or when the group has ended
     */
    public <T extends @Nullable Object> Task<T> spawn(String taskName, Callable<T> body) {
        Objects.requireNonNull(body, "body");
        check();
        if (ended) {
            throw new IllegalStateException("group " + name + " has ended");
        }
        var child = loop.spawn(taskName, body);
        spawned++;
        children.add(child);
        child.joinGroup(this);
        if (cancelGrace != null) {
            child.cancelGrace(cancelGrace);
        }
        if (cancelled) {
            child.cancel();
        }
        return child;
    }

    /** {@link #spawn(String, Callable)} without a result. */
    public Task<@Nullable Void> spawn(String taskName, TaskBody body) {
        return spawn(taskName, body.asCallable());
    }

    private void check() {
        if (!loop.inLoop()) {
            throw new IllegalStateException(
                    "not on the loop thread of group " + name + " but on " + Thread.currentThread());
        }
    }

    /** Called by a child where it ends. */
    void childEnded(Task<?> child) {
        children.remove(child);
        var failure = child.failure();
        if (failure != null) {
            var error = failure.observe();
            if (failure.isCancellation()) {
                takeSuppressed(child, error);
            } else {
                failed(child, error);
            }
        }
        var waiter = drained;
        if (waiter != null && children.isEmpty()) {
            waiter.complete(null);
        }
    }

    /** A cancel that nobody sees again may carry what failed in clean-up, or in a group inside. */
    private void takeSuppressed(@Nullable Task<?> child, Throwable cancellation) {
        for (var error : GroupFailures.carriedBy(cancellation)) {
            if (!failures.contain(error)) {
                failed(child, error);
            }
        }
    }

    private void failed(@Nullable Task<?> child, Throwable error) {
        failures.add(error);
        if (owner.isDone()) {
            loop.report("a task of group " + name + ", which was never closed, failed", error, child);
        }
        var told = listener;
        if (told != null) {
            loop.soon(() -> told.accept(child == null ? owner : child, error));
        }
        cancel();
    }

    /** Cancels the children and, in the functional forms, the body; the group then ends without a failure of its own. */
    public void cancel() {
        check();
        if (!cancelled && !ended) {
            cancelChildren();
            if (inBody) {
                bodyCancel = owner.request(CancelRequest.ofScope("group " + name + " is cancelled", shields));
            }
        }
    }

    /** Once: children that are on their way out may clean up. */
    private void cancelChildren() {
        if (cancelled) {
            return;
        }
        cancelled = true;
        for (var child : List.copyOf(children)) {
            child.cancelGently();
        }
    }

    /**
     * Waits until all children have ended. The owner only, once.
     *
     * @throws TaskGroupException when children failed
     * @throws CancellationException when the owner was cancelled meanwhile, with what failed as suppressed
     */
    public void join() throws TaskGroupException {
        checkOwner();
        if (ended) {
            throw new IllegalStateException("group " + name + " has ended");
        }
        try {
            end(null);
        } catch (TaskGroupException | RuntimeException error) {
            throw error;
        } catch (Exception unexpected) {
            throw Throwables.<RuntimeException>sneak(unexpected);
        }
    }

    private void checkOwner() {
        if (Task.current() != owner) {
            throw new IllegalStateException(
                    "only task " + owner.name() + ", which opened group " + name + ", can end it");
        }
    }

    private void end(@Nullable Throwable before) throws Exception {
        var outside = awaitChildren(before);
        ended = true;
        var failure = failures.thrownBy(name);
        if (outside != null) {
            if (failure != null) {
                outside.addSuppressed(failure);
            }
            throw Throwables.<Exception>sneak(outside);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** A future is awaited, so that a cancel which comes after the last child's end waits for the next await. */
    private @Nullable Throwable awaitChildren(@Nullable Throwable before) throws Exception {
        var outside = before;
        owner.excuse();
        try {
            while (!children.isEmpty()) {
                var wait = new LoopFuture<@Nullable Void>(loop);
                drained = wait;
                try {
                    wait.await();
                } catch (CancellationException cancellation) {
                    outside = outside == null ? cancellation : outside;
                    cancelChildren();
                }
            }
        } finally {
            owner.unexcuse();
            drained = null;
        }
        return outside;
    }

    /**
     * Ends a group that {@link #join} has not ended: cancels the children that are left and waits for them. A cancel
     * that comes meanwhile arrives at the next await.
     *
     * @throws TaskGroupException when children failed
     * @throws IllegalStateException when children had to be cancelled, though nothing had failed and the owner was not
     *     cancelled: the call of {@code join} is missing
     */
    @Override
    public void close() throws TaskGroupException {
        checkOwner();
        if (ended) {
            return;
        }
        boolean forgotten = !children.isEmpty() && !cancelled && owner.cancelling(shields) == 0;
        owner.holdCancels();
        try {
            cancelChildren();
            end(null);
        } catch (TaskGroupException | RuntimeException error) {
            throw error;
        } catch (Exception unexpected) {
            throw Throwables.<RuntimeException>sneak(unexpected);
        } finally {
            owner.passCancels();
        }
        if (forgotten) {
            throw new IllegalStateException(
                    "group " + name + " was closed while tasks were running, which were cancelled: call join() first");
        }
    }

    /** Has a listener told of each failure in the turn after it, with the task (the owner for the body). */
    public TaskGroup onFailure(BiConsumer<? super Task<?>, ? super Throwable> newListener) {
        check();
        listener = Objects.requireNonNull(newListener, "listener");
        return this;
    }

    /** Sets the grace period of children that are started from now on; see {@link Task#cancelGrace}. */
    public TaskGroup cancelGrace(Duration grace) {
        check();
        Durations.positive(grace, "grace");
        cancelGrace = grace;
        return this;
    }

    /** The children that have not ended. */
    public List<Task<?>> tasks() {
        check();
        return List.copyOf(children);
    }

    /** What has failed so far, the first one first. */
    public List<Throwable> failures() {
        check();
        return failures.list();
    }

    /** Whether it is being cancelled, or was. */
    public boolean isCancelled() {
        check();
        return cancelled;
    }

    /** Its name. Any thread. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "TaskGroup " + name + '[' + (ended ? "ended" : cancelled ? "being cancelled" : "open") + ", "
                + children.size() + " running, " + failures.list().size() + " failed]";
    }
}
