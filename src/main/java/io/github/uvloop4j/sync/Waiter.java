package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A task that waits its turn. Whoever has what it waits for grants it, there and then, so that nobody can come in
 * between; the task finds out when it runs. If it is cancelled meanwhile, it has to hand on what it was granted.
 */
class Waiter {
    private enum State {
        WAITING,
        GRANTED,
        REFUSED
    }

    final Task<?> task;

    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    boolean queued;
    private State state = State.WAITING;

    /** The calling task, which waits from now on. */
    Waiter(Task<?> task) {
        this.task = task;
    }

    final void grant() {
        state = State.GRANTED;
        task.unpark();
    }

    /** Ends the wait without what it was for. */
    final void refuse() {
        state = State.REFUSED;
        task.unpark();
    }

    /** Neither granted nor refused; after {@link #await}: the limit is over. */
    final boolean isWaiting() {
        return state == State.WAITING;
    }

    final boolean isGranted() {
        return state == State.GRANTED;
    }

    final boolean isRefused() {
        return state == State.REFUSED;
    }

    /**
     * Parks until it is granted or refused, or a limit in ns is over.
     *
     * @throws CancellationException when the task was cancelled, whatever happened meanwhile
     */
    final void await(LoopContext loop, long limit) {
        if (limit == Limits.NONE) {
            while (state == State.WAITING) {
                task.park();
            }
        } else if (limit > 0) {
            long deadline = System.nanoTime() + limit;
            var timer = loop.at(deadline, task::unpark);
            try {
                while (state == State.WAITING && System.nanoTime() - deadline < 0) {
                    task.park();
                }
            } finally {
                timer.cancel();
            }
        }
    }
}
