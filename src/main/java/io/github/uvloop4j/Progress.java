package io.github.uvloop4j;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Which of its ready actions a loop is at, for threads that look on: each step is a plain store. */
final class Progress {
    private static final VarHandle BEGUN;
    private static final VarHandle OVER;
    private static final VarHandle ACTION;

    static {
        try {
            var lookup = MethodHandles.lookup();
            BEGUN = lookup.findVarHandle(Progress.class, "begun", long.class);
            OVER = lookup.findVarHandle(Progress.class, "over", long.class);
            ACTION = lookup.findVarHandle(Progress.class, "action", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long begun;

    @SuppressWarnings("UnusedVariable") // through OVER
    private long over;

    @SuppressWarnings("UnusedVariable") // through ACTION
    private @Nullable Runnable action;

    /** An action is about to run. Loop thread only. */
    void begins(Runnable next) {
        ACTION.setOpaque(this, next);
        BEGUN.setOpaque(this, begun + 1);
    }

    /** None runs until the next begins. Loop thread only. */
    void pauses() {
        OVER.setOpaque(this, begun);
        ACTION.setOpaque(this, (Runnable) null);
    }

    /** How many actions have begun. Any thread. */
    long count() {
        return (long) BEGUN.getOpaque(this);
    }

    /** The number of the action that runs; 0 when none does. Any thread. */
    long current() {
        long now = count();
        return now == (long) OVER.getOpaque(this) ? 0 : now;
    }

    /** The action that runs, or null. Any thread. */
    @Nullable
    Runnable action() {
        return (Runnable) ACTION.getOpaque(this);
    }
}
