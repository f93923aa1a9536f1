package io.github.uvloop4j.carrier;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The body of a thread that is a task too: what it throws is dealt with as of any thread. */
final class ThreadBody implements Callable<@Nullable Void> {
    private final Runnable body;

    ThreadBody(Runnable body) {
        this.body = body;
    }

    @Override
    public @Nullable Void call() {
        try {
            body.run();
        } catch (CancellationException ended) {
            // By a cancel or an interrupt: the end of a task, but no failure.
            throw ended;
        } catch (Throwable error) {
            dispatch(error);
        }
        return null;
    }

    /** Runs it where there is no loop any more. */
    void callAlone() {
        try {
            call();
        } catch (CancellationException ended) {
            // No failure here either.
        }
    }

    private static void dispatch(Throwable error) {
        var thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable ignored) {
            // As the JVM does.
        }
    }
}
