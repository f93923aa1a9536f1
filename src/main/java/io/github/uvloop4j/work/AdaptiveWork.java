package io.github.uvloop4j.work;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One kind of work, whose calls run on the loop while they are short and off it when they are not. Each call is
 * measured where it runs, without its time in a queue. {@code EventLoop.adaptive} makes it.
 *
 * {@snippet :
 * var parse = loop.adaptive("parse", WorkPolicy.cpuBound());
 * var document = parse.call(() -> Document.parse(text)); // in a task
 * }
 *
 * <p>Calls must be fit to run on either side: like everything that runs off the loop, they must not touch what belongs
 * to it.
 */
public final class AdaptiveWork {
    /** Told when a kind moves. */
    @FunctionalInterface
    public interface Listener {
        /** Called on the loop, in a turn after the change. */
        void switched(Decision from, Decision to, WorkStatistics figures);
    }

    private final Workers workers;
    private final LoopContext loop;
    private final String kind;
    private final WorkPolicy policy;
    private final Meter meter;
    private final AtomicInteger waiting;
    private @Nullable Listener listener;
    private long callsInline;
    private long callsOffloaded;
    private long rejected;

    AdaptiveWork(Workers workers, String kind, WorkPolicy policy) {
        this.workers = workers;
        this.loop = workers.loop();
        this.kind = kind;
        this.policy = policy;
        this.meter = new Meter(policy);
        this.waiting = policy.place() == WorkPolicy.Place.CPU_POOL ? CpuPool.queue() : new AtomicInteger();
    }

    /** The name of the kind. Any thread. */
    public String kind() {
        return kind;
    }

    /** How the kind is treated. Any thread. */
    public WorkPolicy policy() {
        return policy;
    }

    /**
     * Runs a call, here or on a worker while the task is parked; returns its result. Cancelling the task interrupts the
     * worker. In a task only.
     *
     * @throws IllegalStateException outside the loop's tasks
     * @throws RejectedExecutionException when too many calls wait and the policy says so, or the executor is full
     * @throws java.util.concurrent.CancellationException when the task was cancelled
     * @throws Exception what the call throws, itself
     */
    public <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        Objects.requireNonNull(call, "call");
        var task = loop.currentTask();
        if (task == null) {
            throw new IllegalStateException(
                    "call waits: use it in a task of the loop, and submit elsewhere on the loop; this is "
                            + Thread.currentThread());
        }
        if (task.cancelling() > 0) {
            Task.checkCancelled();
        }
        return runsHere() ? runHere(call) : awaitWorker(offload(call));
    }

    /**
     * Runs a call, here or on a worker; the future has what it returned or threw. It is done already when the call ran
     * here. Cancelling it interrupts the worker. Loop thread only.
     *
     * @throws RejectedExecutionException when too many calls wait and the policy says so, the executor is full, or the
     *     loop is closed
     */
    public <T extends @Nullable Object> LoopFuture<T> submit(Callable<T> call) {
        Objects.requireNonNull(call, "call");
        checkThread();
        workers.checkOpen();
        if (runsHere()) {
            try {
                return LoopFuture.completed(loop, runHere(call));
            } catch (Throwable error) {
                return LoopFuture.failed(loop, error);
            }
        }
        var future = offload(call);
        future.onDone(() -> takeDuration(future));
        return future;
    }

    private boolean runsHere() {
        if (meter.decision() == Decision.INLINE) {
            return true;
        }
        if (waiting.get() <= policy.queueLimit()) {
            return false;
        }
        return switch (policy.whenFull()) {
            case INLINE_IF_SHORT -> meter.isShort();
            case WAIT -> false;
            case REJECT -> {
                rejected++;
                throw new RejectedExecutionException(
                        "work of kind " + kind + ": more than " + policy.queueLimit() + " calls wait already");
            }
        };
    }

    private <T extends @Nullable Object> T runHere(Callable<T> call) throws Exception {
        callsInline++;
        long start = workers.now();
        try {
            return call.call();
        } finally {
            long end = workers.now();
            if (meter.record(end - start, end)) {
                tellListener();
            }
        }
    }

    private <T extends @Nullable Object> Offloaded<T> offload(Callable<T> call) {
        try {
            var future = workers.offload(policy.place(), waiting, Context.enclose(loop.capture(), call));
            callsOffloaded++;
            return future;
        } catch (RejectedExecutionException full) {
            rejected++;
            throw full;
        }
    }

    private <T extends @Nullable Object> T awaitWorker(Offloaded<T> future) throws Exception {
        try {
            return future.await();
        } finally {
            if (!future.isDone()) {
                future.cancel(true);
            }
            takeDuration(future);
        }
    }

    /** Learns from a call off the loop; not from one that was cut short. */
    private void takeDuration(Offloaded<?> future) {
        long duration = future.runNanos();
        if (duration >= 0 && !future.isCancelled() && meter.record(duration, workers.now())) {
            tellListener();
        }
    }

    private void tellListener() {
        var told = listener;
        if (told != null) {
            var figures = figures();
            var to = figures.decision();
            var from = to == Decision.INLINE ? Decision.OFFLOAD : Decision.INLINE;
            loop.soon(() -> told.switched(from, to, figures));
        }
    }

    /** Sets who is told when the kind moves; null for nobody. What it throws goes to the loop. Loop thread only. */
    public void listener(@Nullable Listener value) {
        checkThread();
        listener = value;
    }

    /** What became of the calls so far. Loop thread only. */
    public WorkStatistics statistics() {
        checkThread();
        return figures();
    }

    private WorkStatistics figures() {
        return new WorkStatistics(
                kind,
                meter.decision(),
                meter.expected(),
                meter.mean(),
                meter.longest(),
                callsInline,
                callsOffloaded,
                meter.switches(),
                waiting.get(),
                rejected);
    }

    private void checkThread() {
        if (!loop.inLoop()) {
            throw new IllegalStateException(
                    "work of kind " + kind + " is not on its loop's thread but on " + Thread.currentThread());
        }
    }

    @Override
    public String toString() {
        return "AdaptiveWork " + figures();
    }
}
