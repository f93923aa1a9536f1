package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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
public abstract class Task<T extends @Nullable Object> extends LoopFuture<T> implements Locals.Holder {
    private static final AtomicLong IDS = new AtomicLong();

    private final LoopContext loop;
    private final long id = IDS.incrementAndGet();
    private final String name;

    /** Not the parent itself: of tasks that each spawn the next, none would ever be garbage. */
    private final long parentId;

    private final @Nullable String parentName;
    private final @Nullable Throwable creation;
    private @Nullable Callable<T> body;
    private ScopedValue.@Nullable Carrier scoped;
    private Locals locals;
    private Callback.@Nullable Waiter waiter;

    /** The future that still has the waiter after a wait with a limit: the next such wait needs no other. */
    private @Nullable LoopFuture<?> linkedTo;

    private @Nullable LoopFuture<?> awaited;
    private boolean parked;
    private boolean started;
    private boolean interruptSent;
    private int shields;
    private int excuses;
    private volatile boolean cancelPending;
    private volatile @Nullable Cancels cancels;
    private long cancelGrace;
    private @Nullable TaskGroup group;

    /** A task that has not started. */
    protected Task(LoopContext loop, String name, Callable<T> body, @Nullable Throwable creation) {
        super(loop);
        this.loop = loop;
        this.name = Objects.requireNonNull(name, "name");
        this.body = Objects.requireNonNull(body, "body");
        this.creation = creation;
        var parent = loop.currentTask();
        this.parentId = parent == null ? 0 : parent.id;
        this.parentName = parent == null ? null : parent.name;
        this.cancelGrace = loop.cancelGraceNanos();
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

    private void yieldToLoop() {
        var turned = new boolean[1];
        loop.soon(() -> {
            turned[0] = true;
            unpark();
        });
        while (!turned[0]) {
            park();
        }
    }

    private void sleepUntil(long deadline) {
        throwIfCancelled();
        var timer = loop.at(deadline, this::unpark);
        try {
            while (System.nanoTime() - deadline < 0) {
                park();
            }
        } finally {
            timer.cancel();
        }
    }

    /** Its name; its thread's is the loop's name, a slash and this. Any thread. */
    public final String name() {
        return name;
    }

    /** Its number, unique in this JVM; a later task has a greater one. Any thread. */
    public final long id() {
        return id;
    }

    /** The number of the task that spawned it, or 0 when a callback or another thread did. Any thread. */
    public final long parentId() {
        return parentId;
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
        return switch (thread().getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> TaskInfo.State.WAITING;
            default -> TaskInfo.State.RUNNING;
        };
    }

    final @Nullable LoopFuture<?> awaited() {
        return awaited;
    }

    /** Where it was spawned, when the loop runs in debug mode; else null. Any thread. */
    public final @Nullable Throwable creation() {
        return creation;
    }

    /** The virtual thread that it runs on. Any thread. */
    public abstract Thread thread();

    /** Whether the future that it awaits has ended, even if nobody has told it yet. Any thread. */
    protected final boolean isAwaitOver() {
        var future = awaited;
        return future != null && future.isDone();
    }

    /** Whether it can go on and waits for its turn. Any thread. */
    protected abstract boolean isQueued();

    /** Parks the calling task's thread; may return early. */
    protected abstract void suspend();

    /** Lets a parked task go on, or its next {@link #park} return at once. Any thread. */
    public abstract void unpark();

    /**
     * Parks the calling task until {@link #unpark}. It may return early: call it in a loop that tests what is waited
     * for. The task itself only.
     *
     * @throws CancellationException when the task was cancelled
     * @throws IllegalStateException when another thread calls it
     */
    public final void park() {
        if (Thread.currentThread() != thread()) {
            throw new IllegalStateException("only task " + name + " itself can park it");
        }
        throwIfCancelled();
        pause();
        throwIfCancelled();
    }

    private void pause() {
        // A set interrupt flag would make every park return at once, and the loop spin.
        boolean interrupted = Thread.interrupted();
        if (interrupted && isOwnThread()) {
            giveUpWaiting();
            return;
        }
        parked = true;
        try {
            suspend();
        } finally {
            parked = false;
        }
        if (isOwnThread() && Thread.interrupted()) {
            giveUpWaiting();
        } else if (interrupted) {
            Thread.currentThread().interrupt();
            // The flag comes with a permit, which would let the next park return at once. The caller looks again
            // anyway.
            LockSupport.park();
        }
    }

    /**
     * Whether its thread is somebody's own, who starts it, counts on its body to run, and may interrupt it: then the
     * body runs even if it was cancelled before, and an interrupt ends the wait of an await.
     */
    protected boolean isOwnThread() {
        return false;
    }

    private void giveUpWaiting() {
        var future = awaited;
        if (future == null) {
            throw new CancellationException("the thread of task " + name + " was interrupted");
        }
        future.cancel(true);
    }

    /** Has the future wake this task; null when it is done. */
    private Callback.@Nullable Waiter attach(LoopFuture<?> future) {
        var node = waiter;
        boolean linked = node != null && node.isLinked();
        if (node != null && linked && linkedTo == future) {
            return future.isDone() ? null : node;
        }
        linkedTo = null;
        if (node == null || linked) {
            node = new Callback.Waiter(this);
            waiter = node;
        }
        node.link(true);
        if (future.push(node)) {
            return node;
        }
        node.link(false);
        return null;
    }

    final boolean awaitEnd(LoopFuture<?> future) {
        throwIfCancelled();
        if (attach(future) == null) {
            return true;
        }
        awaited = future;
        try {
            while (!future.isDone()) {
                pause();
            }
        } finally {
            awaited = null;
        }
        linkedTo = null;
        throwIfCancelledWith(future);
        return true;
    }

    final boolean awaitEnd(LoopFuture<?> future, long limitNanos) {
        throwIfCancelled();
        var node = attach(future);
        if (node == null) {
            return true;
        }
        awaited = future;
        long deadline = Durations.deadline(limitNanos);
        var timer = loop.at(deadline, this::unpark);
        try {
            while (!future.isDone() && System.nanoTime() - deadline < 0) {
                pause();
            }
        } finally {
            timer.cancel();
            awaited = null;
        }
        linkedTo = null;
        if (!future.isDone()) {
            if (future.removeNewest(node)) {
                node.link(false);
            } else {
                linkedTo = future;
            }
            throwIfCancelled();
            return false;
        }
        throwIfCancelledWith(future);
        return true;
    }

    // Cancelling

    /** Asks the task to end; false when it has ended. The flag has no meaning here. Any thread. */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        if (loop.inLoop()) {
            request(CancelRequest.outside());
        } else {
            postQuietly(loop, () -> request(CancelRequest.outside()));
        }
        return true;
    }

    /** Makes a request that its maker may {@link #withdraw}. Loop thread only. */
    final CancelRequest request(CancelRequest request) {
        if (isNews(request)) {
            reach();
        }
        return request;
    }

    /** Takes a request down; whether the task must be reached where it is. */
    private boolean isNews(CancelRequest request) {
        if (isDone()) {
            return false;
        }
        cancels().add(request);
        cancelPending = true;
        return isReachable();
    }

    /** Asks the task to end, without disturbing it where it is on its way out already. Loop thread only. */
    final void cancelGently() {
        if (isDone()) {
            return;
        }
        var request = CancelRequest.outside();
        if (cancels().isOnItsWayOut()) {
            request.delivered = true;
            request.quiet = true;
            cancels().add(request);
        } else {
            request(request);
        }
    }

    private Cancels cancels() {
        var all = cancels;
        if (all == null) {
            all = new Cancels(this, loop);
            cancels = all;
        }
        return all;
    }

    /** Brings what is requested to where the task is. */
    final void resend() {
        cancelPending = true;
        if (isReachable()) {
            reach();
        }
    }

    /** Whether a shield does not hold all that the task has yet to be told. */
    private boolean isReachable() {
        return shields == 0 || cancels().passes(shields);
    }

    /** How many shields are up. Loop thread only. */
    final int shields() {
        return shields;
    }

    /** Goes down the chain of tasks that each await the next: a call for each would overflow the stack. */
    private void reach() {
        Task<?> mark = this;
        int steps = 0;
        for (var task = reachOne(); task != null && task != mark; task = task.reachOne()) {
            // Tasks that await each other in a ring have no last one.
            if (Integer.bitCount(++steps) == 1) {
                mark = task;
            }
        }
    }

    /** Returns the task that it awaits, if that must be reached as well. */
    private @Nullable Task<?> reachOne() {
        interruptSent = false;
        var future = awaited;
        if (future instanceof Task<?> next && next.loop == loop) {
            return next.isNews(CancelRequest.outside()) ? next : null;
        }
        if (future != null) {
            cancelAwaited(future);
        } else if (parked) {
            unpark();
        } else if (started) {
            interruptSent = true;
            thread().interrupt();
        }
        return null;
    }

    /** What passes its cancel on may reach a task that awaits another such future, and so on. */
    private void cancelAwaited(LoopFuture<?> future) {
        if (future.getClass() == LoopFuture.class) {
            future.cancel(true);
            return;
        }
        Nested.run(() -> {
            try {
                future.cancel(true);
            } catch (Throwable broken) {
                loop.report("cancelling what task " + name + " awaits failed", broken, future);
            }
        });
    }

    /** How often it was asked to end, less what was taken back. Any thread. */
    public final int cancelling() {
        var all = cancels;
        return all == null ? 0 : all.count();
    }

    /** How many of the requests so many shields do not hold. */
    final int cancelling(int up) {
        var all = cancels;
        return all == null ? 0 : all.count(up);
    }

    /**
     * Takes back the newest request; returns how many are left. Who catches a cancel and goes on must call it: what is
     * left open is sent again. Loop thread only.
     */
    public final int uncancel() {
        if (!loop.inLoop()) {
            throw new IllegalStateException(
                    "not on the loop thread of task " + name + " but on " + Thread.currentThread());
        }
        var all = cancels;
        if (all == null) {
            return 0;
        }
        all.removeNewest();
        return withdrawn(all);
    }

    /** Takes back a request of a scope; returns how many are left that could reach the scope. Loop thread only. */
    final int withdraw(CancelRequest request) {
        var all = cancels;
        if (all == null) {
            return 0;
        }
        all.remove(request);
        withdrawn(all);
        return all.count(request.shields);
    }

    private int withdrawn(Cancels all) {
        boolean left = all.hasUndelivered();
        if (cancelPending && !left) {
            takeCancel();
        } else if (left && !cancelPending) {
            resend();
        } else if (interruptSent && !isReachable()) {
            takeInterruptBack();
        }
        return all.count();
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

    /** Until {@link #passCancels}, cancels from outside the scope that begins here wait. The task itself only. */
    final void holdCancels() {
        if (interruptSent && !takeInterruptBack()) {
            told();
        }
        shields++;
    }

    /** Whether no JDK call has thrown InterruptedException for it. */
    private boolean takeInterruptBack() {
        interruptSent = false;
        return Thread.currentThread() != thread() || Thread.interrupted();
    }

    /**
     * How many open requests the task knows of where a scope begins: any other ends the scope as a cancel from outside.
     * The task itself only.
     */
    final int toldCancels() {
        if (interruptSent && !Thread.currentThread().isInterrupted()) {
            interruptSent = false;
            told();
        }
        var all = cancels;
        return all == null ? 0 : all.told(shields);
    }

    private void told() {
        cancels().delivered(shields);
        cancelPending = cancels().hasUndelivered();
    }

    final void passCancels() {
        shields--;
        if (cancelPending && isReachable()) {
            reach();
        }
    }

    /** Until {@link #unexcuse}, the task may take its time to end. The task itself only. */
    final void excuse() {
        excuses++;
    }

    final void unexcuse() {
        excuses--;
    }

    /** Whether others hold it up, who are reported themselves, or a shield does. */
    final boolean isExcused() {
        return excuses > 0
                || cancelling(shields) == 0
                || (awaited instanceof Task<?> other && !other.isDone() && other.cancelling() > 0);
    }

    /** How long a cancelled task may take to end before it is reported and cancelled again. Loop thread only. */
    public final void cancelGrace(Duration grace) {
        cancelGrace = Durations.positive(grace, "grace");
    }

    final long cancelGraceNanos() {
        return cancelGrace;
    }

    /** Whether the task has yet to be told. */
    private boolean takeCancel() {
        cancelPending = false;
        return !interruptSent || takeInterruptBack();
    }

    private void throwIfCancelled() {
        if (cancelPending && isReachable()) {
            boolean untold = takeCancel();
            var exception = untold ? cancels().deliver(shields) : null;
            told();
            if (exception != null) {
                throw exception;
            }
        }
    }

    /** A future that ended before the cancel came keeps its outcome: the cancel waits for the next await. */
    private void throwIfCancelledWith(LoopFuture<?> future) {
        if (cancelPending && future.isCancelled()) {
            throwIfCancelled();
        }
    }

    // Its end

    /** A task completes itself. */
    @Override
    public final boolean complete(T value) {
        throw new UnsupportedOperationException("a task completes itself: " + name);
    }

    /** A task completes itself. */
    @Override
    public final boolean completeExceptionally(Throwable error) {
        throw new UnsupportedOperationException("a task completes itself: " + name);
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
            } else if (cancelPending) {
                reach();
            }
            var value = bindings == null ? once.call() : bindings.call(once::call);
            if (cancelPending && takeCancel()) {
                drop("task " + name + " was cancelled", value);
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
        end(new CancellationException("its loop was closed before task " + name + " ended"));
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
        boolean interrupted = error instanceof InterruptedException || error instanceof ClosedByInterruptException;
        if (interrupted && cancelling() > 0) {
            var cancellation = new CancellationException("task " + name + " was cancelled");
            cancellation.initCause(error);
            end(cancellation);
            return;
        }
        super.completeExceptionally(error);
        ended();
        if (loop.isFatal(error)) {
            loop.report("task " + name + " failed", error, this);
        } else {
            watch(name);
        }
    }

    private void ended() {
        var all = cancels;
        if (all != null) {
            all.over();
        }
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
        return "task " + name + text.substring(text.indexOf('['));
    }
}
