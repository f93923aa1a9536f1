package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Task;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Ends what a loop still carries: its tasks, which may take their time to clean up, and its connections. */
final class Closing {
    private static final int ROUNDS = 10;

    private final Scheduler scheduler;
    private final long deadline;
    private final Set<Task<?>> asked = Collections.newSetFromMap(new IdentityHashMap<>());

    Closing(Scheduler scheduler, LoopOptions options) {
        this.scheduler = scheduler;
        this.deadline = Deadlines.after(options.closeTimeout());
    }

    void run() {
        int rounds = 0;
        do {
            scheduler.turnWhile(this::askTasks, deadline);
            scheduler.turnWhile(scheduler.io()::isFlushing, deadline);
            scheduler.io().abortAll();
            scheduler.drain();
        } while (++rounds < ROUNDS
                && (tasksLeft() && System.nanoTime() - deadline < 0
                        || !scheduler.io().isEmpty()));
        reportTasks();
    }

    private boolean tasksLeft() {
        return scheduler.tasks().count() > 0;
    }

    /** Cancels each task once, those too that others start while they end. */
    private boolean askTasks() {
        for (var task : scheduler.tasks().live()) {
            if (asked.add(task)) {
                task.cancel();
            }
        }
        return tasksLeft();
    }

    private void reportTasks() {
        for (var task : scheduler.tasks().live()) {
            var where = new Throwable("it is here");
            where.setStackTrace(task.thread().getStackTrace());
            scheduler.errors().report("task " + task.name() + " did not end before its loop was closed", where, task);
        }
    }
}
