package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests to end one task that nobody has taken back. As long as there is one, the task should be on its way out:
 * if it is still there after a grace period, the request is sent again and the place reported. Loop thread only, but
 * for the count.
 */
final class Cancels {
    private final CancellableTask<?> task;
    private final LoopContext loop;
    private final List<CancelRequest> open = new ArrayList<>(1);
    private volatile int count;
    private @Nullable TimerHandle timer;
    private @Nullable CancellationException thrown;
    private int resent;

    Cancels(CancellableTask<?> task, LoopContext loop) {
        this.task = task;
        this.loop = loop;
    }

    /** How many requests are open. Any thread. */
    int count() {
        return count;
    }

    void add(CancelRequest request) {
        open.add(request);
        count = open.size();
        if (timer == null) {
            arm();
        }
    }

    void remove(CancelRequest request) {
        open.remove(request);
        shrunk();
    }

    void removeNewest() {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (i == 0 || !open.get(i).quiet) {
                open.remove(i);
                shrunk();
                return;
            }
        }
    }

    private void shrunk() {
        count = open.size();
        if (open.isEmpty()) {
            over();
        } else if (!isOnItsWayOut()) {
            for (var request : open) {
                request.delivered &= !request.quiet;
                request.quiet = false;
            }
        }
    }

    /** Whether the task was told to end, by somebody who will not take it back. */
    boolean isOnItsWayOut() {
        for (var request : open) {
            if (request.delivered && !request.quiet && !request.ofScope) {
                return true;
            }
        }
        return false;
    }

    /** The task has ended or goes on with leave: nothing is sent again. */
    void over() {
        resent = 0;
        thrown = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    boolean hasUndelivered() {
        for (var request : open) {
            if (!request.delivered) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is one to be delivered that so many shields do not hold. */
    boolean passes(int shields) {
        for (var request : open) {
            if (!request.delivered && request.shields >= shields) {
                return true;
            }
        }
        return false;
    }

    /** Marks those as delivered that so many shields do not hold; returns the exception that tells the task. */
    CancellationException deliver(int shields) {
        delivered(shields);
        var reason = "";
        for (var request : open) {
            reason = request.shields >= shields ? request.reason : reason;
        }
        var exception = new CancellationException(
                "task " + task.name() + " was cancelled" + (reason.isEmpty() ? "" : ": " + reason));
        thrown = exception;
        return exception;
    }

    /** Marks those as delivered that so many shields do not hold. */
    void delivered(int shields) {
        mark(shields, true);
    }

    private void mark(int shields, boolean delivered) {
        for (var request : open) {
            if (request.shields >= shields) {
                request.delivered = delivered;
                request.quiet = false;
            }
        }
    }

    /** How many of those that so many shields do not hold the task has been told of. */
    int told(int shields) {
        int told = 0;
        for (var request : open) {
            told += request.delivered && request.shields >= shields ? 1 : 0;
        }
        return told;
    }

    /** How many are open that so many shields do not hold. */
    int count(int shields) {
        int passing = 0;
        for (var request : open) {
            passing += request.shields >= shields ? 1 : 0;
        }
        return passing;
    }

    private void arm() {
        long grace = task.cancelGraceNanos();
        timer = grace == 0 ? null : loop.at(System.nanoTime() + grace, this::graceIsOver);
    }

    private void graceIsOver() {
        timer = null;
        if (open.isEmpty() || task.isDone()) {
            return;
        }
        if (!task.isExcused()) {
            resent++;
            if (Integer.bitCount(resent) == 1) {
                report();
            }
            mark(task.shields(), false);
            task.resend();
        }
        arm();
    }

    private void report() {
        var where = new Throwable("it is here");
        where.setStackTrace(task.thread().getStackTrace());
        if (thrown != null) {
            where.initCause(thrown);
        }
        long waited = TimeUnit.NANOSECONDS.toMillis(task.cancelGraceNanos()) * resent;
        loop.report(
                "task " + task.name() + " has not ended " + waited + " ms after it was cancelled: "
                        + (thrown == null ? "nothing that it waits for reacts" : "it swallowed the cancel")
                        + "; it is cancelled again",
                where,
                task);
    }
}
