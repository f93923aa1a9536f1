package io.github.uvloop4j.concurrent;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of task-locals: few, so that a copied array is the map. Immutable. */
final class Locals {
    static final Locals NONE = new Locals(new Object[0]);

    /** Whoever has values of its own at a place: a task, or what runs in a context. */
    interface Holder {
        Locals locals();

        void locals(Locals changed);
    }

    /** Keys and values by turns. */
    private final @Nullable Object[] pairs;

    private Locals(@Nullable Object[] pairs) {
        this.pairs = pairs;
    }

    private int indexOf(TaskLocal<?> key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i] == key) {
                return i;
            }
        }
        return -1;
    }

    boolean has(TaskLocal<?> key) {
        return indexOf(key) >= 0;
    }

    @Nullable
    Object get(TaskLocal<?> key) {
        return pairs[indexOf(key) + 1];
    }

    Locals with(TaskLocal<?> key, @Nullable Object value) {
        int index = indexOf(key);
        var copy = Arrays.copyOf(pairs, index < 0 ? pairs.length + 2 : pairs.length);
        index = index < 0 ? pairs.length : index;
        copy[index] = key;
        copy[index + 1] = value;
        return new Locals(copy);
    }

    Locals without(TaskLocal<?> key) {
        int index = indexOf(key);
        if (index < 0) {
            return this;
        }
        if (pairs.length == 2) {
            return NONE;
        }
        var copy = new Object[pairs.length - 2];
        System.arraycopy(pairs, 0, copy, 0, index);
        System.arraycopy(pairs, index + 2, copy, index, copy.length - index);
        return new Locals(copy);
    }
}
