package io.github.uvloop4j.carrier;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The steps that run on threads of their own while the loop thread is blocked, the newest on top. Whoever is on top has
 * the loop to itself; the others, and the loop thread, may go on in Java but stop where they would use the loop.
 */
final class Asides {
    /** A step that runs aside. */
    static final class Aside {
        private final Tasks.Steps steps;
        private final Thread thread;
        private final Thread carrier = Thread.currentThread();
        private final @Nullable Aside below;
        private volatile boolean settling;

        private Aside(Tasks.Steps steps, @Nullable Aside below) {
            this.steps = steps;
            this.thread = steps.thread();
            this.below = below;
        }

        Tasks.Steps steps() {
            return steps;
        }
    }

    private static final int SPINS = 1_000;
    private static final long PAUSE_NANOS = 50_000;
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(Asides.class, "top", Aside.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskHost host;
    private volatile @Nullable Aside top;

    /** Whether the loop thread, or the task on it, stands in {@link #settle}. */
    private volatile boolean loopSettling;

    Asides(TaskHost host) {
        this.host = host;
    }

    /** The step that has the loop, or null when the loop thread has it. Any thread. */
    @Nullable
    Aside top() {
        return top;
    }

    /** How many steps run aside. Any thread. */
    int depth() {
        int depth = 0;
        for (var aside = top; aside != null; aside = aside.below) {
            depth++;
        }
        return depth;
    }

    /** The step of a task whose thread is given, if it runs aside. Any thread. */
    @Nullable
    Aside of(Thread thread) {
        for (var aside = top; aside != null; aside = aside.below) {
            if (aside.thread == thread) {
                return aside;
            }
        }
        return null;
    }

    /** Where whoever has not got the loop stops until it has. */
    void settle() {
        if (top != null) {
            awaitTurn(Thread.currentThread());
        }
    }

    private void awaitTurn(Thread thread) {
        var seen = top;
        if (seen == null || seen.thread == thread) {
            return;
        }
        var own = of(thread);
        settling(own, true);
        awaitTop(thread, own);
        settling(own, false);
    }

    private void awaitTop(Thread thread, @Nullable Aside own) {
        int spins = 0;
        for (var seen = top; seen != null && seen != own; seen = top) {
            Thread.onSpinWait();
            // A virtual thread must not park here: others of its loop would run in the middle of its step.
            if (++spins > SPINS && !thread.isVirtual()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void settling(@Nullable Aside own, boolean value) {
        if (own == null) {
            loopSettling = value;
        } else {
            own.settling = value;
        }
    }

    /** Whether a step that runs aside, or the loop thread for null, waits in Java for something. Any thread. */
    boolean isBlocked(@Nullable Aside aside) {
        var carrier = aside == null ? host.loopThread() : aside.carrier;
        if (carrier == null || (aside == null ? loopSettling : aside.settling)) {
            return false;
        }
        return switch (carrier.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    /** Gives the loop to a step that the caller will run; null when another has it than the one expected. */
    @Nullable
    Aside push(Tasks.Steps steps, @Nullable Aside below) {
        var aside = new Aside(steps, below);
        if (!TOP.compareAndSet(this, below, aside)) {
            return null;
        }
        host.lend(true);
        for (int i = 0; i < SPINS; i++) {
            // By the end of this, who went on without having seen the announcement is seen to go on.
            Thread.onSpinWait();
        }
        return aside;
    }

    /** Takes the loop back from a step once it is on top again. */
    void pop(Aside aside) {
        aside.settling = true;
        do {
            awaitTop(aside.carrier, aside);
        } while (!TOP.compareAndSet(this, aside, aside.below));
        if (aside.below == null) {
            host.lend(false);
        }
    }
}
