package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.util.Durations;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Ends what a loop still carries: its tasks, which may take their time to clean up, and its connections. */
final class Closing {
    private static final int ROUNDS = 10;
    private static final int TURNS = 1_000;
    private static final long LOOK_NANOS = 50_000_000;

    private final Scheduler scheduler;
    private final long deadline;
    private final Set<Task<?>> asked = Collections.newSetFromMap(new IdentityHashMap<>());

    Closing(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.deadline =
                Durations.deadline(Durations.nanos(scheduler.loop().options().closeTimeout(), "closeTimeout"));
    }

    void run() {
        var left = scheduler.debug() ? new LeftTasks(scheduler) : null;
        int rounds = 0;
        do {
            turnWhile(this::askTasks);
            scheduler.closeActions().run();
            turnWhile(scheduler.io()::isFlushing);
            if (left != null) {
                left.tell();
                Leftovers.tellUnclosed(scheduler);
                left = null;
            }
            scheduler.io().abortAll();
            drain();
        } while (++rounds < ROUNDS
                && (tasksLeft() && System.nanoTime() - deadline < 0
                        || !scheduler.io().isEmpty()
                        || !scheduler.closeActions().isEmpty()));
        reportTasks();
    }

    /** Turns until the deadline or as long as a condition holds, as if the loop ran. */
    private void turnWhile(BooleanSupplier condition) {
        while (condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            scheduler.running().ending(false);
            scheduler.turn(false);
            // What runs in a turn may be what was waited for: it is looked at before anything blocks.
            if (!scheduler.hasWork() && condition.getAsBoolean()) {
                // Also keeps the turn from blocking when it is due as that begins, or was already.
                scheduler.at(
                        Math.min(deadline, System.nanoTime() + LOOK_NANOS),
                        () -> scheduler.running().ending(true));
                scheduler.turn(true);
            }
        }
        scheduler.running().ending(true);
    }

    /** Turns that do not block, until nothing is ready: close callbacks and the last words of protocols. */
    private void drain() {
        int turns = 0;
        do {
            scheduler.turn(false);
        } while (scheduler.hasWork() && ++turns < TURNS);
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
