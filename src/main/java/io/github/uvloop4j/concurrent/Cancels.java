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
    private final Task<?> task;
    private final LoopContext loop;
    private final List<CancelRequest> open = new ArrayList<>(1);
    private volatile int count;
    private @Nullable TimerHandle timer;
    private @Nullable CancellationException thrown;
    private int resent;

    Cancels(Task<?> task, LoopContext loop) {
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
        if (!open.isEmpty()) {
            open.removeLast();
            shrunk();
        }
    }

    private void shrunk() {
        count = open.size();
        if (open.isEmpty()) {
            over();
        }
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

    /** Marks all as delivered; returns the exception that tells the task. */
    CancellationException deliver() {
        delivered();
        var reason = open.isEmpty() ? "" : open.getLast().reason;
        var exception = new CancellationException(
                "task " + task.name() + " was cancelled" + (reason.isEmpty() ? "" : ": " + reason));
        thrown = exception;
        return exception;
    }

    /** Marks all as delivered. */
    void delivered() {
        for (var request : open) {
            request.delivered = true;
        }
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
            for (var request : open) {
                request.delivered = false;
            }
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
