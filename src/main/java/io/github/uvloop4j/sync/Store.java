package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The items of a queue and those who wait for them or for room. Tasks wait for items only while none is left that
 * nobody was promised, and for room only while it is full.
 */
final class Store<T> {
    /** A task that waits for room. A future, so that an item which was let in is in, whatever comes after. */
    private static final class Putter<T> extends Waiter {
        final T item;
        final LoopFuture<Boolean> letIn;

        Putter(Task<?> task, LoopContext loop, T item) {
            super(task);
            this.item = item;
            this.letIn = new LoopFuture<>(loop);
        }
    }

    private final Home home;
    private final Waiters<Waiter> getters = new Waiters<>();
    private final Waiters<Putter<T>> putters = new Waiters<>();
    private final Items<T> items;
    private final int maxSize;

    /** How many items are for tasks that were woken and have not run yet; which ones, they see when they run. */
    private int promised;

    private long unfinished;
    private boolean shutdown;
    private boolean emptied;

    /** An empty store. */
    Store(Home home, Items<T> items, int maxSize) {
        this.home = home;
        this.items = items;
        this.maxSize = maxSize;
    }

    /** The items that nobody was promised. */
    int size() {
        return items.size() - promised;
    }

    int maxSize() {
        return maxSize;
    }

    // In

    void check(T item) {
        items.check(Objects.requireNonNull(item, "item"));
    }

    /** False when it is full. */
    boolean letIn(T item) {
        if (shutdown) {
            throw over();
        }
        if (size() >= maxSize) {
            return false;
        }
        add(item);
        return true;
    }

    private void add(T item) {
        items.add(item);
        unfinished++;
        promiseNext();
    }

    private void promiseNext() {
        var getter = getters.poll();
        if (getter != null) {
            promised++;
            getter.grant();
        }
    }

    void waitForRoom(Task<?> task, T item, @Nullable Duration limit) throws TimeoutException {
        var putter = new Putter<>(task, home.loop(), item);
        putters.add(putter);
        boolean letIn;
        try {
            letIn = limit == null ? putter.letIn.await() : putter.letIn.await(limit);
        } catch (TimeoutException e) {
            throw new TimeoutException("no room in " + this + " within " + limit);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e); // The future never fails.
        } finally {
            putters.remove(putter);
        }
        if (!letIn) {
            throw over();
        }
    }

    // Out

    @Nullable
    T poll() {
        if (size() > 0) {
            return take();
        }
        if (shutdown) {
            throw over();
        }
        return null;
    }

    /** Takes the next item, of which there is one, and lets in the items of those who wait for room. */
    T take() {
        var item = Objects.requireNonNull(items.poll());
        while (size() < maxSize) {
            var putter = putters.poll();
            if (putter == null) {
                break;
            }
            if (putter.letIn.complete(true)) {
                add(putter.item);
            }
        }
        return item;
    }

    /** Null when the time is over. */
    @Nullable
    T waitForItem(Task<?> task, long limit) {
        if (shutdown) {
            throw over();
        }
        var getter = new Waiter(task);
        getters.add(getter);
        try {
            getter.await(home.loop(), limit);
        } catch (Throwable gone) {
            leave(getter);
            throw gone;
        }
        if (getter.isWaiting()) {
            getters.remove(getter);
            return null;
        }
        if (getter.isRefused() || emptied) {
            throw over();
        }
        promised--;
        return items.poll();
    }

    private void leave(Waiter getter) {
        if (!getter.isGranted()) {
            getters.remove(getter);
        } else if (!emptied) {
            promised--;
            promiseNext();
        }
    }

    // The end

    private QueueShutdownException over() {
        return new QueueShutdownException("the queue was shut down");
    }

    void shutdown() {
        shutdown = true;
        for (var putter = putters.poll(); putter != null; putter = putters.poll()) {
            putter.letIn.complete(false);
        }
        // Who waits for an item waits since there is none.
        getters.refuseAll();
    }

    boolean isShutdown() {
        return shutdown;
    }

    /** Takes out all, also what was promised; for good, after {@link #shutdown}. */
    List<T> empty() {
        var rest = new ArrayList<T>(items.size());
        for (var item = items.poll(); item != null; item = items.poll()) {
            rest.add(item);
        }
        promised = 0;
        emptied = true;
        return rest;
    }

    /** How many items that were let in are not done. */
    long unfinished() {
        return unfinished;
    }

    /** Whether so many more make all of them done. */
    boolean finish(int count) {
        unfinished = Math.max(0, unfinished - count);
        return unfinished == 0;
    }

    AsyncQueue.Statistics statistics() {
        return new AsyncQueue.Statistics(size(), maxSize, getters.size(), putters.size(), unfinished, shutdown);
    }

    @Override
    public String toString() {
        return "AsyncQueue[" + size() + (maxSize == Integer.MAX_VALUE ? "" : " of " + maxSize) + " items, "
                + getters.size() + " getting, " + putters.size() + " putting" + (shutdown ? ", shut down]" : "]");
    }
}
