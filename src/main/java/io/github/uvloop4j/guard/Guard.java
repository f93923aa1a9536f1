package io.github.uvloop4j.guard;

import org.jspecify.annotations.Nullable;

/** Code that may block although a guard is open: its author knows that it is short, or that nobody waits. */
public final class Guard {
    /** A body with a result. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object, E extends Throwable> {
        /** Runs it. */
        T call() throws E;
    }

    /** A body without a result. */
    @FunctionalInterface
    public interface Action<E extends Throwable> {
        /** Runs it. */
        void run() throws E;
    }

    private Guard() {}

    /** Runs a body in which this thread, or task, may block. What it throws is passed on. Any thread. */
    public static <T extends @Nullable Object, E extends Throwable> T allowing(Call<T, E> body) throws E {
        var allowed = Allowed.enter();
        try {
            return body.call();
        } finally {
            allowed.leave();
        }
    }

    /** Runs a body in which this thread, or task, may block. What it throws is passed on. Any thread. */
    public static <E extends Throwable> void allowing(Action<E> body) throws E {
        var allowed = Allowed.enter();
        try {
            body.run();
        } finally {
            allowed.leave();
        }
    }
}
