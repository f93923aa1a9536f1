package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Linear code that runs on a loop: a virtual thread which only ever runs while the loop lets it, so that tasks of one
 * loop need no locks among themselves. It is the future of its result, and completes itself.
 *
 * <p>Cancelling is a request. It arrives as a CancellationException at the next await, or interrupts the JDK call in
 * which the task is parked; what the task awaits is cancelled with it. Requests are counted; code that decides to go on
 * takes one back with {@link #uncancel()}.
 *
 * @param <T> the result's type
 */
public abstract class Task<T extends @Nullable Object> extends WaitingTask<T> implements Locals.Holder, Created {
    private static final AtomicLong IDS = new AtomicLong();

    private final long id = IDS.incrementAndGet();
    /** Not the parent itself: of tasks that each spawn the next, none would ever be garbage. */
    private final long parentId;

    private final @Nullable String parentName;
    private final @Nullable Throwable creation;
    private @Nullable Callable<T> body;
    private ScopedValue.@Nullable Carrier scoped;
    private Locals locals;
    private @Nullable TaskGroup group;

    /** A task that has not started. */
    protected Task(LoopContext loop, String name, Callable<T> body, @Nullable Throwable creation) {
        super(loop, name);
        this.body = Objects.requireNonNull(body, "body");
        this.creation = creation;
        var parent = loop.currentTask();
        this.parentId = parent == null ? 0 : parent.id;
        this.parentName = parent == null ? null : parent.name();
        var context = loop.capture();
        this.scoped = context == null ? null : context.scoped();
        this.locals = context == null ? Locals.NONE : context.locals();
    }

    /** The task that calls this, or null outside any task. Any thread. */
    public static @Nullable Task<?> current() {
        var loop = LoopContext.current();
        return loop == null ? null : loop.currentTask();
    }

    /**
     * Parks the calling task for a time, also where a JDK sleep would block the loop. Zero lets all that is ready run
     * first. In a task only.
     *
     * @throws CancellationException when the task was cancelled
     */
    public static void sleep(Duration time) {
        long nanos = Durations.nanos(time, "time");
        var task = running("sleep");
        if (nanos == 0) {
            task.yieldToLoop();
        } else {
            task.sleepUntil(Durations.deadline(nanos));
        }
    }

    /**
     * Throws if a cancel waits for the calling task, as its next await would. For long work without an await. In a task
     * only.
     *
     * @throws CancellationException when the task was cancelled
     */
    public static void checkCancelled() {
        running("checkCancelled").throwIfCancelled();
    }

    /**
     * Runs a body in the calling task and keeps cancels from it: they arrive at the first await after it. For clean-up
     * that must not be cut short. In a task only.
     *
     * @throws IllegalStateException outside a task
     */
    public static <T extends @Nullable Object> T shielded(Callable<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        var task = running("shielded");
        task.holdCancels();
        try {
            return body.call();
        } finally {
            task.passCancels();
        }
    }

    /** {@link #shielded(Callable)} without a result. In a task only. */
    public static void shielded(TaskBody body) throws Exception {
        shielded(body.asCallable());
    }

    /** The task that calls this; throws when there is none. */
    static Task<?> running(String what) {
        var task = current();
        if (task == null) {
            throw new IllegalStateException(
                    what + " works in a task only (loop.spawn), not on " + Thread.currentThread());
        }
        return task;
    }

    /** Its number, unique in this JVM; a later task has a greater one. Any thread. */
    public final long id() {
        return id;
    }

    /** The number of the task that spawned it, or 0 when a callback or another thread did. Any thread. */
    public final long parentId() {
        return parentId;
    }

    /** Its loop, for those who look on. Any thread. */
    public final LoopView view() {
        return loop.view();
    }

    final @Nullable String parentName() {
        return parentName;
    }

    /** The name of the group that it belongs to, or null. Any thread. */
    public final @Nullable String groupName() {
        var owner = group;
        return owner == null ? null : owner.name();
    }

    /** What it does now, unless it has ended. Any thread; elsewhere than on its loop it may be over already. */
    public final TaskInfo.State activity() {
        if (!started) {
            return TaskInfo.State.NEW;
        }
        if (isQueued()) {
            return TaskInfo.State.RUNNABLE;
        }
        if (parked) {
            return TaskInfo.State.WAITING;
        }
        return switch (thread().getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> TaskInfo.State.WAITING;
            default -> TaskInfo.State.RUNNING;
        };
    }

    final @Nullable LoopFuture<?> awaited() {
        return awaited;
    }

    /** Where it was spawned, when the loop runs in debug mode; else null. Any thread. */
    @Override
    public final @Nullable Throwable creation() {
        return creation;
    }

    /** Whether it can go on and waits for its turn. Any thread. */
    protected abstract boolean isQueued();

    // Its end

    /** A task completes itself. */
    @Override
    public final boolean complete(T value) {
        throw new UnsupportedOperationException("a task completes itself: " + name());
    }

    /** A task completes itself. */
    @Override
    public final boolean completeExceptionally(Throwable error) {
        throw new UnsupportedOperationException("a task completes itself: " + name());
    }

    /** Runs the body and ends the future; called once, on the task's thread. */
    protected final void runBody() {
        var once = Objects.requireNonNull(body);
        var bindings = scoped;
        body = null;
        scoped = null;
        started = true;
        try {
            if (!isOwnThread()) {
                throwIfCancelled();
            } else if (isCancelPending()) {
                reach();
            }
            var value = bindings == null ? once.call() : bindings.call(once::call);
            if (isCancelPending() && takeCancel()) {
                drop("task " + name() + " was cancelled", value);
                end(cancels().deliver(0));
            } else {
                super.complete(value);
                ended();
            }
        } catch (CancellationException cancellation) {
            end(cancellation);
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** Ends the future of a task that can never go on, since its loop is being closed. */
    protected final void endAbandoned() {
        end(new CancellationException("its loop was closed before task " + name() + " ended"));
    }

    private void end(CancellationException cancellation) {
        endCancelled(cancellation);
        ended();
    }

    /** The cancel came after the body's last await: nobody gets what it returned. */
    final void drop(String why, @Nullable Object value) {
        if (value instanceof AutoCloseable) {
            loop.report(
                    why + " when it had its result, which nobody will close",
                    new IllegalStateException("dropped: " + value),
                    this);
        }
    }

    private void fail(Throwable error) {
        if (cancelling() > 0 && Interrupts.isInterrupt(error)) {
            var cancellation = new CancellationException("task " + name() + " was cancelled");
            cancellation.initCause(error);
            end(cancellation);
            return;
        }
        super.completeExceptionally(error);
        ended();
        if (loop.isFatal(error)) {
            loop.report("task " + name() + " failed", error, this);
        } else {
            watch("task " + name(), creation);
        }
    }

    private void ended() {
        cancelsAreOver();
        var owner = group;
        if (owner != null) {
            owner.childEnded(this);
        }
    }

    /** Makes it a child of a group, before its first step. */
    final void joinGroup(TaskGroup owner) {
        group = owner;
    }

    @Override
    public final Locals locals() {
        return locals;
    }

    @Override
    public final void locals(Locals changed) {
        locals = changed;
    }

    @Override
    public String toString() {
        var text = super.toString();
        return "task " + name() + text.substring(text.indexOf('['));
    }
}
