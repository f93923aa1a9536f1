package io.github.uvloop4j.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The door between threads: many producers push, one consumer takes all at once.
 *
 * <p>A Treiber stack whose head is also the consumer's state, so that one compare-and-set both appends and decides
 * whether the consumer has to be woken or is gone:
 *
 * <pre>
 *   null      consumer awake, nothing queued
 *   SLEEPING  consumer about to block (or blocked): the producer that replaces it must wake it
 *   CLOSED    nothing is accepted any more
 *   node      the newest of a list of queued items
 * </pre>
 *
 * <p>An item that was accepted is always in a batch that the consumer takes: {@link #close} returns the last one.
 */
public final class MpscQueue {
    /** What {@link #offer} did. */
    public enum Offer {
        /** Queued; the consumer is awake or another producer wakes it. */
        QUEUED,
        /** Queued, and the caller must wake the consumer. */
        WAKE,
        /** Refused: the queue is closed. */
        CLOSED
    }

    private static final class Node {
        final @Nullable Runnable item;

        @Nullable
        Node next;

        Node(@Nullable Runnable item) {
            this.item = item;
        }
    }

    private static final Node SLEEPING = new Node(null);
    private static final Node CLOSED = new Node(null);
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(MpscQueue.class, "head", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through HEAD
    private @Nullable Node head;

    /** An empty queue whose consumer is awake. */
    public MpscQueue() {}

    private @Nullable Node headAcquire() {
        return (Node) HEAD.getAcquire(this);
    }

    /** Appends an item. Any thread. */
    public Offer offer(Runnable item) {
        var node = new Node(item);
        while (true) {
            var seen = headAcquire();
            if (seen == CLOSED) {
                return Offer.CLOSED;
            }
            node.next = seen == SLEEPING ? null : seen;
            if (HEAD.compareAndSet(this, seen, node)) {
                return seen == SLEEPING ? Offer.WAKE : Offer.QUEUED;
            }
        }
    }

    /**
     * Moves everything queued to the ready ring, oldest first, and marks the consumer awake. Consumer only.
     *
     * @return whether the mark that {@link #sleep} left had been taken, that is, whether a producer was told to wake
     */
    public boolean drainTo(ReadyRing ready, boolean slept) {
        var seen = headAcquire();
        if (seen == null || seen == CLOSED) {
            return false;
        }
        return transfer((Node) HEAD.getAndSet(this, null), ready, slept);
    }

    /** Announces that the consumer will block. Consumer only. False when something is queued: do not block then. */
    public boolean sleep() {
        return HEAD.compareAndSet(this, null, SLEEPING);
    }

    /** Whether something is queued. Any thread. */
    public boolean hasItems() {
        var seen = headAcquire();
        return seen != null && seen != SLEEPING && seen != CLOSED;
    }

    /** Refuses items from now on and moves the rest to the ring; returns as {@link #drainTo}. Consumer only. */
    public boolean close(ReadyRing ready, boolean slept) {
        return transfer((Node) HEAD.getAndSet(this, CLOSED), ready, slept);
    }

    private static boolean transfer(@Nullable Node newest, ReadyRing ready, boolean slept) {
        if (newest == null || newest == SLEEPING || newest == CLOSED) {
            return false;
        }
        Node oldest = null;
        for (Node node = newest; node != null; ) {
            var next = node.next;
            node.next = oldest;
            oldest = node;
            node = next;
        }
        for (Node node = oldest; node != null; node = node.next) {
            if (node.item != null) {
                ready.add(node.item);
            }
        }
        return slept;
    }
}
