package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.util.Durations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A loop as a ScheduledExecutorService. It takes no lock: a task that waited for one could only go on where the loop
 * thread may be waiting for the same.
 */
final class LoopExecutor implements ScheduledExecutorService {
    /** In the state, beside the number of jobs that are not over. */
    private static final long SHUT_DOWN = 1L << 62;

    private final Scheduler scheduler;
    private final AtomicLong state = new AtomicLong();
    private final AtomicLong ids = new AtomicLong();
    private final ConcurrentSkipListSet<LoopJob<?>> jobs =
            new ConcurrentSkipListSet<>(Comparator.comparingLong((LoopJob<?> job) -> job.id()));
    private final ConcurrentLinkedQueue<LoopFuture<@Nullable Void>> waiters = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    LoopExecutor(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    // Work

    private <T extends @Nullable Object> LoopJob<T> job(
            Callable<T> body, long deadline, long period, @Nullable Consumer<? super LoopJob<T>> listener) {
        return new LoopJob<>(this, ids.incrementAndGet(), body, deadline, period, null, listener);
    }

    private <T extends @Nullable Object> LoopJob<T> start(LoopJob<T> job, Runnable first) {
        admit(job);
        try {
            scheduler.post(Context.enclose(scheduler.capture(), first));
        } catch (RejectedExecutionException closed) {
            job.withdraw();
            throw closed;
        }
        return job;
    }

    private void admit(LoopJob<?> job) {
        if (state.getAndUpdate(seen -> seen >= SHUT_DOWN ? seen : seen + 1) >= SHUT_DOWN) {
            throw new RejectedExecutionException(this + " takes no more work");
        }
        jobs.add(job);
        if (stopped && job.withdraw()) {
            throw new RejectedExecutionException(this + " takes no more work");
        }
        if (job.isPeriodic() && isShutdown()) {
            job.cancel(false);
        }
    }

    /** A job is over; each says so once. */
    void ended(LoopJob<?> job) {
        jobs.remove(job);
        if (state.decrementAndGet() == SHUT_DOWN) {
            wakeWaiters();
        }
    }

    @Override
    public void execute(Runnable command) {
        Objects.requireNonNull(command, "command");
        var job = new LoopJob<@Nullable Object>(this, ids.incrementAndGet(), command(command), 0, 0, command, null);
        start(job, job);
    }

    private static Callable<@Nullable Object> command(Runnable command) {
        return callable(Objects.requireNonNull(command, "command"), null);
    }

    private static <T extends @Nullable Object> Callable<T> callable(Runnable command, T result) {
        return () -> {
            command.run();
            return result;
        };
    }

    private <T extends @Nullable Object> LoopJob<T> submit(
            Callable<T> body, @Nullable Consumer<? super LoopJob<T>> listener) {
        var job = job(body, 0, 0, listener);
        return start(job, job);
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Callable<T> task) {
        return submit(Objects.requireNonNull(task, "task"), null);
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Runnable task, T result) {
        return submit(callable(Objects.requireNonNull(task, "task"), result), null);
    }

    @Override
    public Future<?> submit(Runnable task) {
        return this.<@Nullable Object>submit(command(task), null);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return this.<@Nullable Object>delayed(command(command), delay, unit, 0);
    }

    @Override
    public <V extends @Nullable Object> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return delayed(Objects.requireNonNull(callable, "callable"), delay, unit, 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        long nanos = positive("period", period, unit);
        return this.<@Nullable Object>delayed(command(command), initialDelay, unit, nanos);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        long nanos = positive("delay", delay, unit);
        return this.<@Nullable Object>delayed(command(command), initialDelay, unit, -nanos);
    }

    private static long positive(String name, long value, TimeUnit unit) {
        Objects.requireNonNull(unit, "unit");
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be above 0: " + value);
        }
        return unit.toNanos(value);
    }

    private <T extends @Nullable Object> LoopJob<T> delayed(Callable<T> body, long delay, TimeUnit unit, long period) {
        Objects.requireNonNull(unit, "unit");
        var job = job(body, Durations.deadline(Math.max(0, unit.toNanos(delay))), period, null);
        return start(job, delay <= 0 ? job : job::arm);
    }

    // Many at once

    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
            throws InterruptedException {
        return invokeAll(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        var bodies = copy(tasks);
        checkMayWait("invokeAll");
        var all = new Tally<T>(bodies.size(), false);
        var started = new ArrayList<Future<T>>(bodies.size());
        try {
            for (var body : bodies) {
                started.add(submit(body, all));
            }
            all.get(timeout, unit);
        } catch (TimeoutException over) {
            // What is not done is cancelled.
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        } finally {
            started.forEach(future -> future.cancel(true));
        }
        return started;
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        try {
            return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (TimeoutException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(unit, "unit");
        var bodies = copy(tasks);
        if (bodies.isEmpty()) {
            throw new IllegalArgumentException("tasks is empty");
        }
        checkMayWait("invokeAny");
        var any = new Tally<T>(bodies.size(), true);
        var started = new ArrayList<LoopJob<T>>(bodies.size());
        try {
            for (var body : bodies) {
                started.add(submit(body, any));
            }
            any.get(timeout, unit);
        } finally {
            started.forEach(future -> future.cancel(true));
        }
        return any.value();
    }

    private static <T extends @Nullable Object> List<Callable<T>> copy(Collection<? extends Callable<T>> tasks) {
        var bodies = new ArrayList<Callable<T>>(tasks);
        bodies.forEach(body -> Objects.requireNonNull(body, "a task is null"));
        return bodies;
    }

    /** Waits for all of some jobs, or for the first that succeeds. */
    private static final class Tally<T extends @Nullable Object> extends LoopFuture<@Nullable Void>
            implements Consumer<LoopJob<T>> {
        private final AtomicLong left;
        private final boolean any;
        private volatile @Nullable LoopJob<T> ender;
        private final AtomicReference<@Nullable LoopJob<T>> winner = new AtomicReference<>();

        Tally(int jobs, boolean any) {
            this.left = new AtomicLong(jobs);
            this.any = any;
            if (jobs == 0) {
                complete(null);
            }
        }

        @Override
        public void accept(LoopJob<T> job) {
            boolean success = job.state() == Future.State.SUCCESS;
            if (success) {
                winner.compareAndSet(null, job);
            }
            boolean last = left.decrementAndGet() == 0;
            if (last || any && success) {
                ender = job;
                complete(null);
            }
        }

        /** The value of the first that succeeded; fails as the last one did when none has. */
        T value() throws InterruptedException, ExecutionException {
            var job = winner.get();
            try {
                return (job == null ? Objects.requireNonNull(ender) : job).get();
            } catch (CancellationException cancelled) {
                throw new ExecutionException(cancelled);
            }
        }
    }

    // The end

    @Override
    public void shutdown() {
        shut();
        for (var job : jobs) {
            if (job.isPeriodic()) {
                job.cancel(false);
            }
        }
    }

    private void shut() {
        long before = state.getAndUpdate(seen -> seen | SHUT_DOWN);
        if (before == 0) {
            wakeWaiters();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        stopped = true;
        shut();
        var never = new ArrayList<Runnable>();
        for (var job : jobs) {
            if (job.withdraw()) {
                never.add(job.handedBack());
            } else {
                job.interrupt();
            }
        }
        return never;
    }

    @Override
    public boolean isShutdown() {
        return state.get() >= SHUT_DOWN;
    }

    @Override
    public boolean isTerminated() {
        return state.get() == SHUT_DOWN;
    }

    private void wakeWaiters() {
        for (LoopFuture<@Nullable Void> waiter : waiters) {
            waiter.complete(null);
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        if (isTerminated() || timeout <= 0) {
            return isTerminated();
        }
        checkMayWait("awaitTermination");
        var waiter = new LoopFuture<@Nullable Void>();
        waiters.add(waiter);
        try {
            if (!isTerminated()) {
                waiter.get(timeout, unit);
            }
            return true;
        } catch (TimeoutException over) {
            return isTerminated();
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        } finally {
            waiters.remove(waiter);
        }
    }

    @Override
    public void close() {
        shutdown();
        boolean interrupted = false;
        CancellationException cancelled = null;
        checkNotInside();
        while (!isTerminated()) {
            try {
                awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
                shutdownNow();
            } catch (CancellationException e) {
                cancelled = e;
                shutdownNow();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (cancelled != null) {
            throw cancelled;
        }
    }

    private void checkNotInside() {
        var task = scheduler.currentTask();
        for (var job : jobs) {
            if (task != null && job.isRunBy(task)) {
                throw new IllegalStateException(task + " would wait for its own end: it is work of " + this);
            }
        }
    }

    private void checkMayWait(String what) {
        Calls.checkMayWait(scheduler, what);
    }

    @Override
    public String toString() {
        var what = isTerminated() ? "terminated" : isShutdown() ? "shut down" : "open";
        return "executor of " + scheduler.loop() + '[' + what + ']';
    }
}
