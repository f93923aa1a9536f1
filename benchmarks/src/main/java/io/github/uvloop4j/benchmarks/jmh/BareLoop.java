package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopView;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a loop without its I/O, so that futures of every kind are measured on the very same ones. It is an
 * executor of Netty's too, whose promises want one. Whoever drains it is its thread.
 */
final class BareLoop extends AbstractEventExecutor implements LoopContext {
    private static final ScopedValue<?>[] NO_VALUES = {};

    private final ReadyRing ready = new ReadyRing();
    private final MpscQueue inbox = new MpscQueue();
    private final Thread thread = Thread.currentThread();
    private final boolean promisesQueue;

    /**
     * Queues of the calling thread.
     *
     * @param promisesQueue whether Netty's promises run their listeners through the queue, as ours always do, in place
     *     of running them where they are completed
     */
    BareLoop(boolean promisesQueue) {
        this.promisesQueue = promisesQueue;
    }

    /** Runs what is ready, and what that makes ready; returns how many actions ran. */
    int drain() {
        int ran = 0;
        inbox.drainTo(ready, false);
        for (var action = ready.poll(); action != null; action = ready.poll()) {
            action.run();
            ran++;
        }
        return ran;
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public void soon(Runnable action) {
        ready.add(action);
    }

    @Override
    public void post(Runnable action) {
        inbox.offer(action);
    }

    @Override
    public void execute(Runnable action) {
        if (inLoop()) {
            soon(action);
        } else {
            post(action);
        }
    }

    @Override
    public TimerHandle at(long deadlineNanos, Runnable action) {
        throw new UnsupportedOperationException("no timers here");
    }

    @Override
    public <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body) {
        throw new UnsupportedOperationException("no tasks here");
    }

    @Override
    public @Nullable Task<?> currentTask() {
        return null;
    }

    @Override
    public @Nullable Context capture() {
        return Context.capture(NO_VALUES);
    }

    @Override
    public CallHandle onClose(Runnable action) {
        throw new UnsupportedOperationException("never closed");
    }

    @Override
    public long cancelGraceNanos() {
        return 0;
    }

    @Override
    public LoopView view() {
        throw new UnsupportedOperationException("nobody looks on");
    }

    @Override
    public void report(String message, Throwable error, @Nullable Object source) {
        throw new AssertionError(message, error);
    }

    @Override
    public boolean isFatal(Throwable error) {
        return false;
    }

    @Override
    public boolean inEventLoop(Thread caller) {
        return !promisesQueue && caller == thread;
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        throw new UnsupportedOperationException("never shut down");
    }

    @Override
    public Future<?> terminationFuture() {
        throw new UnsupportedOperationException("never shut down");
    }

    @Override
    @Deprecated
    public void shutdown() {
        throw new UnsupportedOperationException("never shut down");
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }

    <V> Promise<V> promise() {
        return newPromise();
    }
}
