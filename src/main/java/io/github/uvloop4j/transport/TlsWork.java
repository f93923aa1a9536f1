package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopContext;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Where the long steps of handshakes run: never on the thread of a loop. */
final class TlsWork {
    private static final ThreadFactory THREADS =
            Thread.ofVirtual().name("uvloop4j-tls-", 0).factory();

    private TlsWork() {}

    /** Runs steps elsewhere, then calls back on the loop, unless that is closed by then. Loop thread only. */
    static void run(LoopContext loop, @Nullable Executor executor, Runnable steps, TlsEngine.TasksEnd then) {
        Runnable body = () -> {
            Throwable failure = null;
            try {
                steps.run();
            } catch (Throwable error) {
                failure = error;
            }
            callBack(loop, then, failure);
        };
        try {
            if (executor == null) {
                THREADS.newThread(body).start();
            } else {
                executor.execute(body);
            }
        } catch (Throwable refused) {
            loop.soon(() -> then.ended(refused));
        }
    }

    private static void callBack(LoopContext loop, TlsEngine.TasksEnd then, @Nullable Throwable failure) {
        try {
            loop.post(() -> then.ended(failure));
        } catch (RejectedExecutionException closed) {
            // With the loop the connection is gone.
        }
    }
}
