package io.github.uvloop4j.work;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call on its way to a worker, and the future of its result. Whoever takes {@code runner} from null decides. */
final class Offloaded<T extends @Nullable Object> extends LoopFuture<T> implements Runnable {
    private static final Thread OVER = new Thread(() -> {}, "over");
    private static final Thread INTERRUPTING = new Thread(() -> {}, "interrupting");
    private static final long NEVER_RAN = -1;

    private final Workers workers;
    private final AtomicInteger queue;
    private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
    private final @Nullable Throwable creation;
    private @Nullable Callable<T> call;
    private long runNanos = NEVER_RAN;

    /** A call that counts in a queue until it runs, is cancelled or refused. */
    Offloaded(LoopContext loop, Workers workers, AtomicInteger queue, Callable<T> call) {
        super(loop);
        this.workers = workers;
        this.queue = queue;
        this.call = call;
        this.creation = loop.creation("call");
        queue.incrementAndGet();
    }

    @Override
    public void run() {
        var thread = Thread.currentThread();
        if (!runner.compareAndSet(null, thread)) {
            return;
        }
        queue.decrementAndGet();
        try {
            runClaimed();
        } catch (Throwable error) {
            if (completeExceptionally(error)) {
                watch("a call in an executor", creation);
            }
        } finally {
            workers.ended(this);
            if (!runner.compareAndSet(thread, OVER)) {
                // A cancel is interrupting this thread: the flag must not reach the executor's next job.
                while (runner.get() != OVER) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
        }
    }

    private void runClaimed() throws Exception {
        var once = call;
        call = null;
        if (once == null || isDone()) {
            return;
        }
        T value;
        long start = workers.now();
        try {
            value = once.call();
        } finally {
            runNanos = workers.now() - start;
        }
        complete(value);
    }

    /** How long the call ran, without its time in the queue; negative when it did not. Once it is done. */
    long runNanos() {
        return runNanos;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            stop();
        }
        return cancelled;
    }

    /** Whether no thread has begun with it. */
    boolean isWaiting() {
        return runner.get() == null;
    }

    /** Ends it, cancelled, since its loop is closed. */
    void cancelClosed(String loopName) {
        if (completeExceptionally(
                new CancellationException("loop " + loopName + " was closed before the call ended"))) {
            stop();
        }
    }

    /** Takes back a call that its executor has refused. */
    void refused() {
        stop();
    }

    private void stop() {
        if (runner.compareAndSet(null, OVER)) {
            call = null;
            queue.decrementAndGet();
            workers.ended(this);
            return;
        }
        var thread = runner.get();
        if (thread != null && thread != OVER && runner.compareAndSet(thread, INTERRUPTING)) {
            thread.interrupt();
            runner.set(OVER);
        }
    }
}
