package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Calls that may block, on threads that are not the loop's. */
final class Workers {
    private final Scheduler scheduler;
    private final Executor standard;

    Workers(Scheduler scheduler, LoopOptions options) {
        this.scheduler = scheduler;
        var given = options.executor();
        this.standard = given != null ? given : virtualThreads(options.name());
    }

    private static Executor virtualThreads(String name) {
        ThreadFactory factory = Thread.ofVirtual().name(name + "-worker-", 0).factory();
        return call -> factory.newThread(call).start();
    }

    <T extends @Nullable Object> LoopFuture<T> run(@Nullable Executor executor, Callable<T> call) {
        if (scheduler.uv().isClosed()) {
            throw new RejectedExecutionException(scheduler.loop() + " is closed");
        }
        var offloaded = new Offloaded<T>(scheduler, call);
        (executor == null ? standard : executor).execute(offloaded);
        return offloaded;
    }

    private static final class Offloaded<T extends @Nullable Object> extends LoopFuture<T> implements Runnable {
        private static final Thread OVER = new Thread(() -> {}, "over");

        private final Callable<T> call;
        private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

        Offloaded(Scheduler scheduler, Callable<T> call) {
            super(scheduler);
            this.call = call;
        }

        @Override
        public void run() {
            if (!runner.compareAndSet(null, Thread.currentThread())) {
                return;
            }
            try {
                if (!isDone()) {
                    complete(call.call());
                }
            } catch (Throwable error) {
                completeExceptionally(error);
            } finally {
                if (!runner.compareAndSet(Thread.currentThread(), OVER)) {
                    // A cancel is interrupting this thread: the flag must not reach the executor's next job.
                    while (runner.get() != OVER) {
                        Thread.onSpinWait();
                    }
                    Thread.interrupted();
                }
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            var thread = runner.get();
            if (cancelled && thread != null && thread != OVER && runner.compareAndSet(thread, null)) {
                thread.interrupt();
                runner.set(OVER);
            }
            return cancelled;
        }
    }
}
