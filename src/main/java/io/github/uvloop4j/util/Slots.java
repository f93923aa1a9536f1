package io.github.uvloop4j.util;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Objects by small positive ids, which native memory can hold in their place. An id is reused only after it was
 * released. One thread at a time.
 *
 * @param <T> what is kept
 */
public final class Slots<T> {
    private @Nullable Object[] objects = new Object[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used = 1;
    private int live;

    /** An empty table. Id 0 is never given out: it is what untouched native memory holds. */
    public Slots() {}

    /** Keeps an object and returns its id. */
    public int claim(T object) {
        int id = freeCount > 0 ? free[--freeCount] : used++;
        if (id == objects.length) {
            objects = Arrays.copyOf(objects, objects.length << 1);
        }
        objects[id] = object;
        live++;
        return id;
    }

    /** Forgets the object with this id. */
    public void release(int id) {
        objects[id] = null;
        live--;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, free.length << 1);
        }
        free[freeCount++] = id;
    }

    /** The object with this id, or null when there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(int id) {
        return id > 0 && id < objects.length ? (T) objects[id] : null;
    }

    /** How many objects are kept. */
    public int size() {
        return live;
    }

    /** One more than the largest id ever given out. */
    public int bound() {
        return used;
    }
}
