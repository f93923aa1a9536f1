package io.github.uvloop4j.util;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines in nanoseconds, earliest first; equal ones keep the order in which they were added. Removing one takes its
 * place in the heap at once, so that cancelled deadlines leave nothing behind. One thread at a time.
 */
public final class DeadlineHeap {
    private static final int ARITY = 4;

    /** What the heap holds: knows its own place in it. */
    public abstract static class Entry {
        private final long deadline;
        private long sequence;
        private int index = -1;

        /** An entry for a deadline on the clock of {@link System#nanoTime}. */
        protected Entry(long deadline) {
            this.deadline = deadline;
        }

        /** The deadline on the clock of {@link System#nanoTime}. */
        public final long deadline() {
            return deadline;
        }

        private boolean before(Entry other) {
            long difference = deadline - other.deadline;
            return difference < 0 || (difference == 0 && sequence < other.sequence);
        }
    }

    private Entry[] heap = new Entry[64];
    private int size;
    private long nextSequence;

    /** An empty heap. */
    public DeadlineHeap() {}

    /** Adds an entry that is in no heap. */
    public void add(Entry entry) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size << 1);
        }
        entry.sequence = nextSequence++;
        siftUp(entry, size++);
    }

    /** Removes an entry; false when it was not in the heap. */
    public boolean remove(Entry entry) {
        int index = entry.index;
        if (index < 0) {
            return false;
        }
        entry.index = -1;
        var last = heap[--size];
        clear(size);
        if (last != entry) {
            if (index > 0 && last.before(heap[(index - 1) / ARITY])) {
                siftUp(last, index);
            } else {
                siftDown(last, index);
            }
        }
        if (heap.length > 1024 && size < heap.length >> 2) {
            heap = Arrays.copyOf(heap, heap.length >> 1);
        }
        return true;
    }

    /** The earliest entry, or null. */
    public @Nullable Entry first() {
        return size == 0 ? null : heap[0];
    }

    /** Removes and returns the earliest entry if its deadline is not after now, else null. */
    public @Nullable Entry pollDue(long now) {
        if (size == 0 || heap[0].deadline - now > 0) {
            return null;
        }
        var due = heap[0];
        remove(due);
        return due;
    }

    /** How many entries there are. */
    public int size() {
        return size;
    }

    private void siftUp(Entry entry, int start) {
        int index = start;
        while (index > 0) {
            int parent = (index - 1) / ARITY;
            if (!entry.before(heap[parent])) {
                break;
            }
            place(heap[parent], index);
            index = parent;
        }
        place(entry, index);
    }

    private void siftDown(Entry entry, int start) {
        int index = start;
        while (true) {
            int first = index * ARITY + 1;
            if (first >= size) {
                break;
            }
            int least = first;
            for (int child = first + 1, end = Math.min(first + ARITY, size); child < end; child++) {
                if (heap[child].before(heap[least])) {
                    least = child;
                }
            }
            if (!heap[least].before(entry)) {
                break;
            }
            place(heap[least], index);
            index = least;
        }
        place(entry, index);
    }

    private void place(Entry entry, int index) {
        heap[index] = entry;
        entry.index = index;
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // a free place is null; reads stay below size
    private void clear(int index) {
        heap[index] = null;
    }
}
