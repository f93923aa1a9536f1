package io.github.uvloop4j.concurrent;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Inputs that a few tasks draw from one iterator, each going on when its step has ended. */
final class Drawing<I extends @Nullable Object> {
    /** What happens to an input. */
    @FunctionalInterface
    interface Each<I extends @Nullable Object> {
        void accept(I input, int index) throws Exception;
    }

    private final Iterator<? extends I> inputs;
    private final @Nullable List<?> places;
    private int drawn;

    /** Inputs, and a list that gets a place for each that is drawn, or null. */
    Drawing(Iterable<? extends I> inputs, @Nullable List<?> places) {
        this.inputs = Objects.requireNonNull(inputs, "inputs").iterator();
        this.places = places;
    }

    void run(int limit, Each<I> each) throws Exception {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
        Task.running("mapConcurrently");
        TaskGroup.run(group -> {
            for (int i = 0; i < limit && inputs.hasNext(); i++) {
                draw(group, each);
            }
        });
    }

    /** The first input is drawn before the task starts, so that no more tasks are made than there are inputs. */
    private void draw(TaskGroup group, Each<I> each) {
        int first = drawn;
        var input = next();
        group.spawn(() -> {
            each.accept(input, first);
            while (inputs.hasNext()) {
                int index = drawn;
                each.accept(next(), index);
            }
        });
    }

    private I next() {
        var input = inputs.next();
        drawn++;
        if (places != null) {
            places.add(null);
        }
        return input;
    }
}
