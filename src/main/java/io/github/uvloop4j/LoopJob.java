package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.Durations;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One piece of work of a {@link LoopExecutor}: its future, and what starts its task once it is due. */
final class LoopJob<T extends @Nullable Object> extends LoopFuture<T> implements ScheduledFuture<T>, Runnable {
    /** Queued, delayed, or between two runs. Whoever takes it to OVER tells the executor. */
    private static final int WAITING = 0;

    private static final int RUNNING = 1;
    private static final int OVER = 2;

    private final LoopExecutor executor;
    private final Scheduler scheduler;
    private final long id;
    private final AtomicInteger phase = new AtomicInteger(WAITING);

    /** In ns: 0 runs once, above 0 is a rate, below 0 a delay between two runs. */
    private final long period;

    private final Runnable handedBack;
    private final boolean hasFuture;
    private final @Nullable Consumer<? super LoopJob<T>> listener;
    private @Nullable Callable<T> body;

    /** 0 when it does not wait for one. */
    private volatile long deadline;

    private final @Nullable Throwable creation;

    private @Nullable TimerHandle timer;
    private volatile @Nullable Task<T> task;

    /** Work that nobody holds the future of when a command is given, which is what shutdownNow hands back then. */
    LoopJob(
            LoopExecutor executor,
            long id,
            Callable<T> body,
            long deadline,
            long period,
            @Nullable Runnable command,
            @Nullable Consumer<? super LoopJob<T>> listener) {
        super(executor.scheduler());
        this.executor = executor;
        this.scheduler = executor.scheduler();
        this.id = id;
        this.body = body;
        this.deadline = deadline;
        this.period = period;
        this.handedBack = command == null ? this : command;
        this.hasFuture = command == null;
        this.listener = listener;
        this.creation = scheduler.creation("work");
    }

    long id() {
        return id;
    }

    boolean isPeriodic() {
        return period != 0;
    }

    Runnable handedBack() {
        return handedBack;
    }

    private String name() {
        return "executor-" + id;
    }

    boolean isRunBy(Task<?> other) {
        return task == other;
    }

    // On the loop

    /** Has it run at its deadline. Loop thread only. */
    void arm() {
        if (phase.get() != WAITING) {
            return;
        }
        if (scheduler.isClosing()) {
            cancel(true);
            return;
        }
        timer = scheduler.at(deadline, this);
    }

    private void disarm() {
        var armed = timer;
        timer = null;
        if (armed != null) {
            armed.cancel();
        }
    }

    /** It is due. Loop thread only; elsewhere, and once it is over, it does nothing. */
    @Override
    public void run() {
        if (phase.get() != WAITING || !scheduler.inLoop()) {
            return;
        }
        timer = null;
        if (scheduler.isClosing()) {
            cancel(true);
            return;
        }
        Task<T> started;
        try {
            started = scheduler.spawn(name(), this::step, creation);
        } catch (Throwable error) {
            failed(error);
            withdraw();
            return;
        }
        task = started;
        started.whenDone(this::stepEnded);
    }

    /** The task's body. Only now it has commenced: whoever withdrew it before can be sure that nothing ran. */
    private T step() throws Exception {
        if (!phase.compareAndSet(WAITING, RUNNING)) {
            throw new CancellationException();
        }
        return Objects.requireNonNull(body).call();
    }

    private void stepEnded(T value, @Nullable Throwable error) {
        task = null;
        if (error != null) {
            failed(error);
        } else if (!isPeriodic()) {
            complete(value);
        } else if (again()) {
            return;
        } else {
            cancel(false);
        }
        over();
    }

    private void failed(Throwable error) {
        if (!completeExceptionally(error)) {
            return;
        }
        if (hasFuture) {
            watch("task " + name(), creation);
        } else if (!(error instanceof CancellationException) && !scheduler.isFatal(error)) {
            scheduler.report("a command of " + executor + " failed", error, handedBack);
        }
    }

    /** Waits for the next run; false when there is none. */
    private boolean again() {
        if (isDone() || executor.isShutdown() || scheduler.isClosing()) {
            return false;
        }
        deadline = Durations.bounded(period > 0 ? deadline + period : System.nanoTime() - period);
        phase.set(WAITING);
        // Whoever cancelled it before left the end to us.
        if (isDone() || executor.isShutdown()) {
            cancel(false);
            withdraw();
        } else {
            arm();
        }
        return true;
    }

    private void over() {
        if (phase.getAndSet(OVER) != OVER) {
            body = null;
            executor.ended(this);
        }
    }

    // Any thread

    /** Takes it out before it runs, or between two runs; false when it runs or is over. */
    boolean withdraw() {
        if (!phase.compareAndSet(WAITING, OVER)) {
            return false;
        }
        body = null;
        if (super.cancel(false)) {
            tell();
        }
        if (scheduler.inLoop()) {
            disarm();
        } else if (deadline != 0) {
            try {
                scheduler.post(this::disarm);
            } catch (RejectedExecutionException closed) {
                // So its timers are gone.
            }
        }
        executor.ended(this);
        return true;
    }

    /** Cancels the task that runs; the future ends as that does. */
    void interrupt() {
        var running = task;
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        tell();
        if (!withdraw() && mayInterruptIfRunning) {
            interrupt();
        }
        return true;
    }

    @Override
    public boolean complete(T value) {
        return super.complete(value) && tell();
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return super.completeExceptionally(error) && tell();
    }

    private boolean tell() {
        if (listener != null) {
            listener.accept(this);
        }
        return true;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        if (other == this) {
            return 0;
        }
        if (other instanceof LoopJob<?> job) {
            long difference = deadline - job.deadline;
            return difference != 0 ? Long.signum(difference) : Long.compare(id, job.id);
        }
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
