package io.github.uvloop4j.util;

import org.jspecify.annotations.Nullable;

/** The loop's ready queue: a growing ring of actions. One thread at a time. */
public final class ReadyRing {
    private @Nullable Runnable[] ring = new Runnable[256];
    private int head;
    private int tail;

    /** An empty ring. */
    public ReadyRing() {}

    /** Appends an action. */
    public void add(Runnable action) {
        ring[tail] = action;
        tail = (tail + 1) & (ring.length - 1);
        if (tail == head) {
            grow();
        }
    }

    /** Removes and returns the oldest action, or null. */
    public @Nullable Runnable poll() {
        var action = ring[head];
        if (action != null) {
            ring[head] = null;
            head = (head + 1) & (ring.length - 1);
        }
        return action;
    }

    /** How many actions wait. */
    public int size() {
        return (tail - head) & (ring.length - 1);
    }

    /** Whether none waits. */
    public boolean isEmpty() {
        return head == tail;
    }

    private void grow() {
        var old = ring;
        ring = new Runnable[old.length << 1];
        System.arraycopy(old, head, ring, 0, old.length - head);
        System.arraycopy(old, 0, ring, old.length - head, head);
        head = 0;
        tail = old.length;
    }
}
