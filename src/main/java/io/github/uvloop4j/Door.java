package io.github.uvloop4j;

import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import io.github.uvloop4j.uv.UvAsync;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one way in from other threads. Only the producer that finds the loop asleep wakes it; the loop counts those, so
 * that it closes its async handle only when the last of them has made its call.
 */
final class Door {
    private final MpscQueue inbox = new MpscQueue();
    private final UvAsync wake;
    private final AtomicLong wakesDone = new AtomicLong();
    private long wakesTaken;

    /** When the loop was woken last. */
    private volatile long wokenAt;

    private boolean asleep;

    Door(UvAsync wake) {
        this.wake = wake;
    }

    /** Queues an action for the loop; false when the door is closed. Any thread. */
    boolean post(Runnable action) {
        switch (inbox.offer(action)) {
            case CLOSED -> {
                return false;
            }
            case WAKE -> {
                try {
                    wokenAt = System.nanoTime();
                    wake.send();
                } finally {
                    wakesDone.incrementAndGet();
                }
            }
            case QUEUED -> {}
        }
        return true;
    }

    /**
     * Moves what came in to the ready ring; from here on nobody needs to wake the loop. Tells when it was woken for that,
     * or 0 when it was not.
     */
    long drainTo(ReadyRing ready) {
        boolean woken = inbox.drainTo(ready, asleep);
        asleep = false;
        if (woken) {
            wakesTaken++;
            return wokenAt;
        }
        return 0;
    }

    /** From here on who comes wakes the loop; false when somebody has come already. */
    boolean sleep() {
        if (!asleep) {
            asleep = inbox.sleep();
        }
        return asleep;
    }

    boolean hasItems() {
        return inbox.hasItems();
    }

    /** Lets nobody in any more; those who are in go to the ready ring. */
    void close(ReadyRing ready) {
        if (inbox.close(ready, asleep)) {
            wakesTaken++;
        }
        asleep = false;
    }

    /** Waits for who is between queueing and waking: the handle must outlive that call. */
    void awaitWakers() {
        while (wakesDone.get() != wakesTaken) {
            Thread.onSpinWait();
        }
    }
}
