package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Bodies of which the first to succeed wins. */
final class Race<T extends @Nullable Object> {
    private final List<Callable<? extends T>> bodies;
    private final LoopContext loop;
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable Outcome<T> winner;

    Race(List<Callable<? extends T>> bodies) {
        this.bodies = bodies;
        this.loop = Objects.requireNonNull(Task.running("a race").context());
    }

    T run() throws Exception {
        try {
            TaskGroup.run(group -> {
                for (var body : bodies) {
                    group.spawn(() -> enter(group, body));
                }
            });
        } catch (Throwable outside) {
            if (winner != null) {
                dismiss(winner.value());
            }
            throw outside;
        }
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
        } catch (Exception error) {
            lost(group, error);
            return;
        }
        if (winner == null) {
            winner = new Outcome<>(value, null);
            group.cancel();
        } else {
            dismiss(value);
        }
    }

    private void lost(TaskGroup group, Exception error) throws Exception {
        if (error instanceof CancellationException || (Interrupts.isCancel(error) && group.isCancelled())) {
            throw error;
        }
        if (winner == null) {
            failures.add(error);
        } else {
            loop.report("a task that had lost a race failed", error, Task.current());
        }
    }

    /** The task that closes it is being cancelled, which must not cut the close off. */
    private void dismiss(@Nullable Object value) {
        if (value instanceof AutoCloseable resource) {
            try {
                Task.shielded(resource::close);
            } catch (Exception error) {
                loop.report("a resource that lost a race did not close", error, Task.current());
            }
        }
    }
}
