package io.github.uvloop4j.sync;

import org.jspecify.annotations.Nullable;

/** First come, first served; leaving takes constant time from anywhere in the queue. */
final class Waiters<W extends Waiter> {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(W waiter) {
        var before = last;
        waiter.previous = before;
        waiter.queued = true;
        if (before == null) {
            first = waiter;
        } else {
            before.next = waiter;
        }
        last = waiter;
        size++;
    }

    /** The oldest one, which stays, or null. */
    @SuppressWarnings("unchecked") // only add lets in
    @Nullable
    W peek() {
        return (W) first;
    }

    /** Takes out the oldest one, or returns null. */
    @Nullable
    W poll() {
        var oldest = peek();
        if (oldest != null) {
            remove(oldest);
        }
        return oldest;
    }

    /** Takes one out, if it is still in. */
    void remove(W waiter) {
        if (!waiter.queued) {
            return;
        }
        waiter.queued = false;
        var before = waiter.previous;
        var after = waiter.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        size--;
    }

    /** Takes out and grants all. */
    void grantAll() {
        for (var waiter = poll(); waiter != null; waiter = poll()) {
            waiter.grant();
        }
    }

    /** Takes out and refuses all. */
    void refuseAll() {
        for (var waiter = poll(); waiter != null; waiter = poll()) {
            waiter.refuse();
        }
    }
}
