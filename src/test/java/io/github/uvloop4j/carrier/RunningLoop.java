package io.github.uvloop4j.carrier;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A loop on a thread of its own: a test that hangs it fails by its own limit. Close it last: that waits for it. */
record RunningLoop(EventLoop loop) {
    private static final long LIMIT_SECONDS = 30;

    static RunningLoop start(LoopOptions.Tasks tasks) {
        return new RunningLoop(
                EventLoop.create(LoopOptions.defaults().tasks(tasks)).start());
    }

    static RunningLoop onCarrier() {
        return start(LoopOptions.Tasks.CARRIER);
    }

    Thread thread() throws Exception {
        var thread = new CompletableFuture<Thread>();
        loop.post(() -> thread.complete(Thread.currentThread()));
        return result(thread);
    }

    <T> Task<T> spawn(Callable<T> body) throws Exception {
        return result(loop.submit(() -> loop.spawn(body)));
    }

    static <T> T result(Future<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    void close() {
        loop.close();
    }
}
