package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Tasks that are started from other threads. */
final class Submissions {
    private Submissions() {}

    /** The future that the submitter holds before there is a task. */
    private static final class Submission<T extends @Nullable Object> extends LoopFuture<T> implements Runnable {
        private final EventLoop loop;
        private final Scheduler scheduler;
        private final Callable<T> body;
        private final @Nullable Throwable creation;
        private volatile @Nullable Task<T> task;

        Submission(EventLoop loop, Scheduler scheduler, Callable<T> body) {
            super(scheduler);
            this.loop = loop;
            this.scheduler = scheduler;
            this.body = body;
            this.creation = scheduler.creation("task");
        }

        @Override
        public void run() {
            if (isDone()) {
                return;
            }
            if (scheduler.isClosing()) {
                super.cancel(true);
                return;
            }
            Task<T> started;
            try {
                started = loop.spawn(body, creation);
            } catch (Throwable error) {
                completeExceptionally(error);
                return;
            }
            task = started;
            if (isCancelled()) {
                started.cancel();
            }
            started.whenDone((value, error) -> {
                if (error == null) {
                    complete(value);
                } else if (completeExceptionally(error)) {
                    watch("task " + started.name(), creation);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            var started = task;
            if (cancelled && started != null) {
                started.cancel();
            }
            return cancelled;
        }
    }

    static <T extends @Nullable Object> LoopFuture<T> submit(EventLoop loop, Scheduler scheduler, Callable<T> body) {
        var submission = new Submission<T>(loop, scheduler, body);
        scheduler.post(Context.enclose(scheduler.capture(), submission));
        return submission;
    }
}
