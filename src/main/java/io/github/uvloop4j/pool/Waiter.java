package io.github.uvloop4j.pool;

import io.github.uvloop4j.concurrent.Task;
import org.jspecify.annotations.Nullable;

/** A task that waits for a slot, and what it was given: a slot with a connection, or one to make a connection in. */
final class Waiter<C> {
    final Task<?> task;
    boolean granted;

    @Nullable
    Entry<C> entry;

    Waiter(Task<?> task) {
        this.task = task;
    }

    void grant(@Nullable Entry<C> given) {
        entry = given;
        granted = true;
        task.unpark();
    }
}
