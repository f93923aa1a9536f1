package io.github.uvloop4j.concurrent;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Actions of a thread that may lead to further ones: actions of futures without a loop, cancels that are passed on.
 * They run inside each other, but from a certain depth on one after the other: chains of futures may be longer than a
 * stack is deep. All have run when the outermost one returns.
 */
final class Nested {
    private static final int DEEPEST = 64;
    private static final ThreadLocal<@Nullable Nested> HERE = new ThreadLocal<>();

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int depth;

    private Nested() {}

    static void run(Runnable action) {
        var here = HERE.get();
        if (here != null) {
            here.enter(action);
            return;
        }
        here = new Nested();
        HERE.set(here);
        try {
            here.enter(action);
        } finally {
            HERE.remove();
        }
    }

    private void enter(Runnable action) {
        if (depth == DEEPEST) {
            waiting.add(action);
            return;
        }
        depth++;
        try {
            guard(action);
            if (depth == DEEPEST) {
                for (var next = waiting.poll(); next != null; next = waiting.poll()) {
                    guard(next);
                }
            }
        } finally {
            depth--;
        }
    }

    /** What it throws must neither reach who came first nor keep others from running. */
    private static void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable error) {
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
    }
}
