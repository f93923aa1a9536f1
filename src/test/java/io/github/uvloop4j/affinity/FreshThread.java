package io.github.uvloop4j.affinity;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Runs on a platform thread of its own what changes the CPUs of its thread. */
final class FreshThread {
    private FreshThread() {}

    static <T> T call(Callable<T> body) throws Exception {
        var task = new FutureTask<>(body);
        var thread = Thread.ofPlatform().start(task);
        thread.join();
        return switch (task.state()) {
            case SUCCESS -> task.resultNow();
            default -> throw new AssertionError("failed on the thread", task.exceptionNow());
        };
    }

    interface Body {
        void run() throws Exception;
    }

    static void run(Body body) throws Exception {
        call(() -> {
            body.run();
            return "";
        });
    }
}
