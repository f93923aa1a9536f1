package io.github.uvloop4j.concurrent;

import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task for each input, not too many at a time. Only the calling task draws, so that inputs may themselves be waited
 * for.
 */
final class Drawing {
    private final int limit;
    private final Task<?> owner;
    private int running;
    private long unfinished;
    private @Nullable LoopFuture<@Nullable Void> room;
    private @Nullable Throwable cancelled;

    Drawing(String what, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
        this.limit = limit;
        this.owner = Task.running(what);
    }

    <I extends @Nullable Object> void run(Iterable<? extends I> inputs, Function<? super I, TaskBody> bodies)
            throws Exception {
        TaskGroup.run(group -> {
            var iterator = inputs.iterator();
            while (iterator.hasNext()) {
                start(group, bodies.apply(iterator.next()));
                awaitRoom();
            }
        });
        // A group does not mind a task that was cancelled alone, but here results would be missing.
        if (cancelled != null) {
            throw Throwables.<Exception>sneak(cancelled);
        }
        if (unfinished > 0) {
            throw new CancellationException("a step was cancelled");
        }
    }

    private void start(TaskGroup group, TaskBody body) {
        running++;
        unfinished++;
        var task = group.spawn(() -> {
            body.run();
            unfinished--;
        });
        task.onDone(() -> ended(group, task));
    }

    private void ended(TaskGroup group, Task<?> task) {
        running--;
        if (task.isCancelled() && !group.isCancelled()) {
            cancelled = task.failureOrNull();
            group.cancel();
        }
        var wait = room;
        if (wait != null) {
            wait.complete(null);
        }
    }

    private void awaitRoom() throws Exception {
        while (running == limit) {
            var wait = new LoopFuture<@Nullable Void>(owner.context());
            room = wait;
            wait.await();
        }
    }
}
