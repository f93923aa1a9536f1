package io.github.uvloop4j.affinity;

import org.jspecify.annotations.Nullable;

/**
 * A thread that is pinned until this is closed, which gives it back the CPUs that it had. Scopes nest; one that is
 * closed closes those within it. A second close does nothing. Only on the thread that made it.
 */
public final class Scope implements AutoCloseable {
    private final @Nullable Binder binder;
    private final Thread thread = Thread.currentThread();
    final @Nullable Scope outer;
    final @Nullable CpuSet before;
    final @Nullable CpuSet pinnedBefore;
    private @Nullable Runnable after;
    private boolean closed;

    /** A scope of a thread that had some CPUs before, and was pinned to some by this package, or not. */
    Scope(Binder binder, @Nullable Scope outer, CpuSet before, @Nullable CpuSet pinnedBefore) {
        this.binder = binder;
        this.outer = outer;
        this.before = before;
        this.pinnedBefore = pinnedBefore;
    }

    private Scope() {
        this.binder = null;
        this.outer = null;
        this.before = null;
        this.pinnedBefore = null;
    }

    /** A scope that has changed nothing. */
    static Scope nothing() {
        return new Scope();
    }

    boolean isNothing() {
        return binder == null;
    }

    /** Has something else restored, too. */
    void afterwards(Runnable action) {
        after = action;
    }

    void markClosed() {
        closed = true;
        var action = after;
        if (action != null) {
            after = null;
            action.run();
        }
    }

    /**
     * Gives the thread the CPUs that it had. Those that it cannot have any more are left out.
     *
     * @throws IllegalStateException on another thread
     */
    @Override
    public void close() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException("a scope is closed by the thread that it pinned, which is " + thread
                    + ", not by " + Thread.currentThread());
        }
        if (closed) {
            return;
        }
        markClosed();
        if (binder != null) {
            binder.leave(this);
        }
    }
}
