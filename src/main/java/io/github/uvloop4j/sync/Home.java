package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The loop that an object of this package belongs to: the one that uses it first while it runs. */
final class Home {
    private static final VarHandle LOOP;

    static {
        try {
            LOOP = MethodHandles.lookup().findVarHandle(Home.class, "loop", LoopContext.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String kind;

    @SuppressWarnings("UnusedVariable") // through LOOP
    private @Nullable LoopContext loop;

    /** No loop yet. The kind is the name of the owner's class, for messages. */
    Home(String kind) {
        this.kind = kind;
    }

    /** The task that calls a waiting method. */
    Task<?> task(String method) {
        var task = enter(method).currentTask();
        if (task == null) {
            throw new IllegalStateException(kind + '.' + method + " waits, and on the bare loop thread that would stop"
                    + " the loop: call it in a task (loop.spawn)");
        }
        return task;
    }

    /** Lets the loop thread pass and nobody else; makes the loop that runs this the owner if there is none. */
    void check(String method) {
        enter(method);
    }

    /** As {@link #check}, but without an owner anybody may look. */
    void look(String method) {
        var own = loopAcquire();
        if (own != null && !own.inLoop()) {
            throw refusal(own, method);
        }
    }

    private LoopContext enter(String method) {
        var own = loopAcquire();
        // Not only who calls: inLoop also holds back a loop thread that the rescue carrier stands in for.
        if (own != null && own.inLoop()) {
            return own;
        }
        var current = own == null ? LoopContext.current() : null;
        if (current != null) {
            // A loop at rest may be one of several of this thread.
            if (!current.isRunning() || LOOP.compareAndSet(this, null, current)) {
                return current;
            }
            own = loopAcquire();
        }
        throw refusal(own, method);
    }

    /** The owner. Only after {@link #task}. */
    LoopContext loop() {
        var own = loopAcquire();
        if (own == null) {
            throw new IllegalStateException(kind + " has no loop yet");
        }
        return own;
    }

    private @Nullable LoopContext loopAcquire() {
        return (LoopContext) LOOP.getAcquire(this);
    }

    private IllegalStateException refusal(@Nullable LoopContext own, String method) {
        var what = kind + '.' + method + " on " + Thread.currentThread();
        var other = LoopContext.current();
        if (other != null) {
            return new IllegalStateException(what + " of another loop: it belongs to the loop that used it first; give"
                    + " each loop its own, or let the first loop do it (post or submit)");
        }
        return new IllegalStateException(what + ", which is "
                + (own == null ? "not the thread of any loop" : "not the thread of its loop")
                + ": let the loop do it (post or submit)");
    }
}
