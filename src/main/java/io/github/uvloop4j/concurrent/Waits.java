package io.github.uvloop4j.concurrent;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Where a wait for a future may park: the task, the thread, or nowhere. */
final class Waits {
    private Waits() {}

    /** Waits for a pending future, at most a limit in ns (0: none); false when the time is over. */
    static boolean await(LoopFuture<?> future, long limitNanos) throws InterruptedException {
        var task = currentTask(future.context());
        if (task == null) {
            return blockThread(future, limitNanos);
        }
        if (task == future) {
            throw new IllegalStateException("a task cannot await itself: " + task);
        }
        return limitNanos == 0 ? task.awaitEnd(future) : task.awaitEnd(future, limitNanos);
    }

    /** Parks the calling thread, which is in no loop, until the future is done or a limit in ns (0: none) is over. */
    private static boolean blockThread(LoopFuture<?> future, long limitNanos) throws InterruptedException {
        var signal = new Callback.Signal();
        if (!future.push(signal)) {
            return true;
        }
        long deadline = System.nanoTime() + limitNanos;
        while (!future.isDone()) {
            long left = deadline - System.nanoTime();
            if (limitNanos > 0 && left <= 0) {
                future.removeNewest(signal);
                return false;
            }
            if (limitNanos > 0) {
                LockSupport.parkNanos(future, left);
            } else {
                LockSupport.park(future);
            }
            if (Thread.interrupted()) {
                future.removeNewest(signal);
                throw new InterruptedException();
            }
        }
        return true;
    }

    private static @Nullable Task<?> currentTask(@Nullable LoopContext context) {
        if (context != null) {
            var task = context.currentTask();
            if (task != null) {
                return task;
            }
        }
        var loop = LoopContext.current();
        if (loop == null) {
            return null;
        }
        var task = loop.currentTask();
        if (task == null && !loop.isRunning() && loop != context) {
            return null;
        }
        if (task == null) {
            throw new IllegalStateException("waiting on the loop thread would stop the loop: wait in a task"
                    + " (loop.spawn) or add a callback (whenDone)");
        }
        return task;
    }
}
