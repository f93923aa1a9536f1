package io.github.uvloop4j.sync;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** What a queue holds, in the order in which it gives it out. */
sealed interface Items<T> {
    void add(T item);

    /** Takes out the next one, or returns null. */
    @Nullable
    T poll();

    int size();

    /** Throws what {@link #add} would throw of an item that does not belong here. */
    default void check(T item) {}

    /** First in, first out. */
    final class Fifo<T> implements Items<T> {
        private final ArrayDeque<T> items = new ArrayDeque<>();

        @Override
        public void add(T item) {
            items.addLast(item);
        }

        @Override
        public @Nullable T poll() {
            return items.pollFirst();
        }

        @Override
        public int size() {
            return items.size();
        }
    }

    /** Last in, first out. */
    final class Lifo<T> implements Items<T> {
        private final ArrayDeque<T> items = new ArrayDeque<>();

        @Override
        public void add(T item) {
            items.addLast(item);
        }

        @Override
        public @Nullable T poll() {
            return items.pollLast();
        }

        @Override
        public int size() {
            return items.size();
        }
    }

    /** Least first; those that compare as equal in the order in which they came. A heap in two arrays. */
    final class Sorted<T> implements Items<T> {
        private final Comparator<? super T> comparator;

        @SuppressWarnings("unchecked") // holds T only, and never leaves this class
        private @Nullable T[] heap = (T[]) new Object[16];

        private long[] arrivals = new long[16];
        private long arrived;
        private int size;

        Sorted(Comparator<? super T> comparator) {
            this.comparator = comparator;
        }

        @Override
        @SuppressWarnings("ReturnValueIgnored") // only whether it throws
        public void check(T item) {
            comparator.compare(item, item);
        }

        @Override
        public void add(T item) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
                arrivals = Arrays.copyOf(arrivals, size * 2);
            }
            long arrival = arrived++;
            int at = size;
            while (at > 0) {
                int parent = (at - 1) >>> 1;
                if (!before(item, arrival, parent)) {
                    break;
                }
                at = parent;
            }
            // Only now does anything move: a comparator that throws does no harm.
            for (int from = size; from > at; from = (from - 1) >>> 1) {
                move((from - 1) >>> 1, from);
            }
            size++;
            place(item, arrival, at);
        }

        @Override
        public @Nullable T poll() {
            if (size == 0) {
                return null;
            }
            var least = heap[0];
            int end = --size;
            var last = heap[end];
            heap[end] = null;
            if (end > 0 && last != null) {
                sink(last, arrivals[end]);
            }
            return least;
        }

        /** Fills the hole at the top. */
        private void sink(T item, long arrival) {
            int at = 0;
            for (int child = 1; child < size; child = 2 * at + 1) {
                if (child + 1 < size && isBefore(child + 1, child)) {
                    child++;
                }
                if (before(item, arrival, child)) {
                    break;
                }
                move(child, at);
                at = child;
            }
            place(item, arrival, at);
        }

        private void place(T item, long arrival, int at) {
            heap[at] = item;
            arrivals[at] = arrival;
        }

        private void move(int from, int to) {
            heap[to] = heap[from];
            arrivals[to] = arrivals[from];
        }

        @SuppressWarnings("NullAway") // below size there are items
        private boolean isBefore(int index, int other) {
            return before(heap[index], arrivals[index], other);
        }

        @SuppressWarnings("NullAway") // below size there are items
        private boolean before(T item, long arrival, int other) {
            int order = comparator.compare(item, heap[other]);
            return order != 0 ? order < 0 : arrival < arrivals[other];
        }

        @Override
        public int size() {
            return size;
        }
    }
}
