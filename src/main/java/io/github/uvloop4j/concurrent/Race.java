package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Bodies of which the first to succeed wins. */
final class Race<T extends @Nullable Object> {
    private final List<Callable<? extends T>> bodies;
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable Outcome<T> winner;

    Race(List<Callable<? extends T>> bodies) {
        this.bodies = bodies;
    }

    T run() throws Exception {
        TaskGroup.run(group -> {
            for (var body : bodies) {
                group.spawn(() -> enter(group, body));
            }
        });
        if (winner != null) {
            return winner.get();
        }
        if (failures.isEmpty()) {
            throw new CancellationException("all who raced were cancelled");
        }
        throw new TaskGroupException("race", failures);
    }

    private void enter(TaskGroup group, Callable<? extends T> body) throws Exception {
        T value;
        try {
            value = body.call();
        } catch (CancellationException cancelled) {
            throw cancelled;
        } catch (Exception error) {
            if (!(Timeout.isCancel(error) && group.isCancelled())) {
                failures.add(error);
            }
            return;
        }
        if (winner == null) {
            winner = new Outcome<>(value, null);
            group.cancel();
        } else if (value instanceof AutoCloseable late) {
            late.close();
        }
    }
}
