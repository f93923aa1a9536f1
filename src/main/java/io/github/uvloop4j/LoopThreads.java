package io.github.uvloop4j;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that are tasks of a loop. */
final class LoopThreads implements ThreadFactory {
    private final Scheduler scheduler;
    private final AtomicLong made = new AtomicLong();

    LoopThreads(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Thread newThread(Runnable body) {
        Objects.requireNonNull(body, "body");
        if (scheduler.uv().isClosed()) {
            throw new RejectedExecutionException(scheduler.loop() + " is closed");
        }
        return scheduler
                .tasks()
                .unstarted("thread-" + made.incrementAndGet(), body, scheduler.creation("thread"))
                .thread();
    }
}
