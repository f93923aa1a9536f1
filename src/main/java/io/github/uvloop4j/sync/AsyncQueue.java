package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Hands items from tasks to tasks: {@link #put} waits for room, {@link #get} for an item. Both are first come, first
 * served. What comes out next is the oldest item, the newest, or the least, as the queue was made.
 *
 * {@snippet :
 * var jobs = AsyncQueue.<Job>fifo(100);
 * loop.spawn(() -> {
 *     while (true) {
 *         run(jobs.get());
 *         jobs.taskDone();
 *     }
 * });
 * jobs.put(job);
 * jobs.join();
 * }
 *
 * <p>No item is lost or given out twice when tasks are cancelled. An item that was promised to a task which is
 * cancelled before it runs stays where it was in the order, and the queue may hold more than its maximum by as many. A
 * put that throws has not put its item; one whose item was let in before the cancel came returns, and the next await
 * throws the cancel.
 *
 * <p>It can be made anywhere and belongs to the loop that uses it first.
 *
 * @param <T> the items' type; they are never null
 */
public final class AsyncQueue<T> {
    /**
     * How it stands.
     *
     * @param size the items that nobody has been promised
     * @param maxSize how many it takes; {@code Integer.MAX_VALUE} when it has no limit
     * @param getting how many tasks wait for an item
     * @param putting how many tasks wait for room
     * @param unfinished the items for which {@link #taskDone} has not been called
     * @param shutdown whether it was shut down
     */
    public record Statistics(int size, int maxSize, int getting, int putting, long unfinished, boolean shutdown) {}

    private final Home home = new Home("AsyncQueue");
    private final Waiters<Waiter> joiners = new Waiters<>();
    private final Store<T> store;

    private AsyncQueue(Items<T> items, int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize is not positive: " + maxSize);
        }
        this.store = new Store<>(home, items, maxSize);
    }

    /** A queue without a limit that gives out the oldest item. Any thread. */
    public static <T> AsyncQueue<T> fifo() {
        return fifo(Integer.MAX_VALUE);
    }

    /** A queue with a limit, at least 1, that gives out the oldest item. Any thread. */
    public static <T> AsyncQueue<T> fifo(int maxSize) {
        return new AsyncQueue<>(new Items.Fifo<>(), maxSize);
    }

    /** A queue without a limit that gives out the newest item. Any thread. */
    public static <T> AsyncQueue<T> lifo() {
        return lifo(Integer.MAX_VALUE);
    }

    /** A queue with a limit, at least 1, that gives out the newest item. Any thread. */
    public static <T> AsyncQueue<T> lifo(int maxSize) {
        return new AsyncQueue<>(new Items.Lifo<>(), maxSize);
    }

    /** A queue without a limit that gives out the least item. Any thread. */
    public static <T> AsyncQueue<T> priority(Comparator<? super T> comparator) {
        return priority(Integer.MAX_VALUE, comparator);
    }

    /**
     * A queue with a limit, at least 1, that gives out the least item, and of those that compare as equal the oldest.
     * Any thread.
     */
    public static <T> AsyncQueue<T> priority(int maxSize, Comparator<? super T> comparator) {
        return new AsyncQueue<>(new Items.Sorted<>(Objects.requireNonNull(comparator, "comparator")), maxSize);
    }

    /**
     * Puts an item in, and waits for room if there is none. In a task only.
     *
     * @throws QueueShutdownException when it was shut down, before or while the task waited
     * @throws CancellationException when the task is cancelled while it waits; the item is not in then
     * @throws IllegalStateException outside a task or on another loop
     */
    public void put(T item) {
        store.check(item);
        var task = home.task("put(T)");
        if (!store.letIn(item)) {
            try {
                store.waitForRoom(task, item, null);
            } catch (TimeoutException e) {
                throw new IllegalStateException(e); // There is no limit.
            }
        }
    }

    /**
     * {@link #put(Object)} with a limit; with a limit of zero it does not wait. In a task only.
     *
     * @throws TimeoutException when there was no room in time; the item is not in then
     * @throws IllegalArgumentException when the limit is negative
     */
    public void put(T item, Duration limit) throws TimeoutException {
        store.check(item);
        long nanos = Limits.nanos(limit);
        var task = home.task("put(T, Duration)");
        if (store.letIn(item)) {
            return;
        }
        if (nanos == 0) {
            throw new TimeoutException("no room in " + this + " within " + limit);
        }
        store.waitForRoom(task, item, limit);
    }

    /**
     * Puts an item in if there is room. Loop thread only; elsewhere use {@code loop.post(() -> queue.offer(item))}.
     *
     * @return false when it is full
     * @throws QueueShutdownException when it was shut down
     */
    public boolean offer(T item) {
        store.check(item);
        home.check("offer(T)");
        return store.letIn(item);
    }

    /**
     * Takes the next item out, and waits for one if there is none. In a task only.
     *
     * @throws QueueShutdownException when it was shut down and is empty, before or while the task waited
     * @throws CancellationException when the task is cancelled while it waits; it has taken no item then
     * @throws IllegalStateException outside a task or on another loop
     */
    public T get() {
        var task = home.task("get()");
        return store.size() > 0 ? store.take() : Objects.requireNonNull(store.waitForItem(task, Limits.NONE));
    }

    /**
     * {@link #get()} with a limit; with a limit of zero it does not wait. An item that is promised before the task
     * notices that the time is over counts as in time. In a task only.
     *
     * @throws TimeoutException when there was no item in time
     * @throws IllegalArgumentException when the limit is negative
     */
    public T get(Duration limit) throws TimeoutException {
        long nanos = Limits.nanos(limit);
        var task = home.task("get(Duration)");
        var item = store.size() > 0 ? store.take() : store.waitForItem(task, nanos);
        if (item == null) {
            throw new TimeoutException("no item in " + this + " within " + limit);
        }
        return item;
    }

    /**
     * Takes the next item out, or returns null when there is none that nobody has been promised. Loop thread only.
     *
     * @throws QueueShutdownException when it was shut down and is empty
     */
    public @Nullable T poll() {
        home.check("poll()");
        return store.poll();
    }

    /** Says that an item which was taken out is dealt with; {@link #join} waits for that. Loop thread only. */
    public void taskDone() {
        home.check("taskDone()");
        if (store.unfinished() == 0) {
            throw new IllegalStateException("taskDone() was called for more items than were put in");
        }
        finish(1);
    }

    /**
     * Waits until {@link #taskDone} was called for every item that was put in. In a task only.
     *
     * @throws CancellationException when the task is cancelled while it waits
     */
    public void join() {
        awaitFinished(home.task("join()"), Limits.NONE);
    }

    /**
     * {@link #join()} with a limit; with a limit of zero it does not wait. In a task only.
     *
     * @throws TimeoutException when there are items left
     * @throws IllegalArgumentException when the limit is negative
     */
    public void join(Duration limit) throws TimeoutException {
        long nanos = Limits.nanos(limit);
        if (!awaitFinished(home.task("join(Duration)"), nanos)) {
            throw new TimeoutException(store.unfinished() + " items are not done after " + limit + ": " + this);
        }
    }

    private boolean awaitFinished(Task<?> task, long limit) {
        if (store.unfinished() == 0) {
            return true;
        }
        var joiner = new Waiter(task);
        joiners.add(joiner);
        try {
            joiner.await(home.loop(), limit);
        } finally {
            joiners.remove(joiner);
        }
        return joiner.isGranted();
    }

    private void finish(int count) {
        if (store.finish(count)) {
            joiners.grantAll();
        }
    }

    /**
     * Takes no more items: puts throw QueueShutdownException, those that wait for room as well. What is in can be taken
     * out; then gets throw it too. A second call does nothing. Loop thread only.
     */
    public void shutdown() {
        home.check("shutdown()");
        store.shutdown();
    }

    /**
     * {@link #shutdown()}, and takes out what is in: gets throw at once, those that were promised an item as well. The
     * items count as done for {@link #join}. Loop thread only.
     *
     * @return the items, in their order
     */
    public List<T> shutdownNow() {
        home.check("shutdownNow()");
        store.shutdown();
        var rest = store.empty();
        finish(rest.size());
        return rest;
    }

    /** Whether it was shut down. Loop thread only. */
    public boolean isShutdown() {
        home.look("isShutdown()");
        return store.isShutdown();
    }

    /** How many items it has that nobody has been promised. Loop thread only. */
    public int size() {
        home.look("size()");
        return store.size();
    }

    /** Whether {@link #poll} would find nothing. Loop thread only. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** Whether {@link #offer} would refuse an item. Loop thread only. */
    public boolean isFull() {
        return size() >= store.maxSize();
    }

    /** How many items it takes; {@code Integer.MAX_VALUE} when it has no limit. Any thread. */
    public int maxSize() {
        return store.maxSize();
    }

    /** How it stands now. Loop thread only. */
    public Statistics statistics() {
        home.look("statistics()");
        return store.statistics();
    }

    @Override
    public String toString() {
        return store.toString();
    }
}
