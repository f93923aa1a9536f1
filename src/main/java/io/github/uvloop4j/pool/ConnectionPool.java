package io.github.uvloop4j.pool;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lends connections to the tasks of one loop, and keeps those that come back for the next task, which then needs no
 * handshake. There are never more than {@link PoolOptions#maxSize}; further tasks wait, first come first served.
 *
 * {@snippet :
 * try (var pool = new ConnectionPool<>(() -> loop.net().openConnection("127.0.0.1", 7000))) {
 *     var reply = pool.call(connection -> {
 *         connection.write("hello\n");
 *         return connection.readLine();
 *     });
 * }
 * }
 *
 * <p>A connection serves again only when its last exchange is known to be complete: the body of {@link #call} returned,
 * or its {@link Lease} was released. Everything else (an exception, a cancel, a forgotten release) closes it, and frees
 * its slot. It is also closed when it is idle or old for too long, and when {@link Connector#isClean} or
 * {@link Connector#isAlive} refuse it. All the same the peer may close a connection in the moment in which it is lent:
 * repeat what can be repeated.
 *
 * <p>A pool belongs to the loop that uses it first; other loops and threads are refused with an IllegalStateException.
 * It closes with its loop. Loop thread only.
 *
 * @param <C> what is pooled
 */
public final class ConnectionPool<C extends AutoCloseable> implements AutoCloseable {
    /** What is done with a connection. */
    @FunctionalInterface
    public interface Body<C, R extends @Nullable Object> {
        /** One complete exchange. */
        R call(C connection) throws Exception;
    }

    /** What is done with a connection, without a result. */
    @FunctionalInterface
    public interface Action<C> {
        /** One complete exchange. */
        void run(C connection) throws Exception;
    }

    private final PoolOptions options;
    private final Home home = new Home(this);
    private final Slots<C> slots;

    /** In debug mode: where each connection that is lent was acquired. */
    private final Map<Entry<C>, Throwable> lent = new HashMap<>();

    private @Nullable LoopFuture<@Nullable Void> gone;

    /** A pool with the default options. Any thread. */
    public ConnectionPool(Connector<C> connector) {
        this(connector, PoolOptions.defaults());
    }

    /** A pool. Any thread. */
    public ConnectionPool(Connector<C> connector, PoolOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        this.slots = new Slots<>(home, Objects.requireNonNull(connector, "connector"), options, this::completeIfGone);
    }

    /** {@link #acquire(Duration)} with the options' limit. */
    public Lease<C> acquire() throws Exception {
        return acquire(options.acquireTimeout());
    }

    /**
     * Lends a connection: an idle one, or a new one when there is room, or the next that comes back. Release the lease
     * when the exchange is complete, and close it in any case.
     *
     * @param limit how long this may wait, positive
     * @throws TimeoutException when the limit is over
     * @throws RejectedExecutionException when {@link PoolOptions#maxWaiting} tasks wait already
     * @throws CancellationException when the task was cancelled; the slot went to the next
     * @throws IllegalStateException when the pool is closed, now or while this waits, and outside a task
     * @throws Exception what {@link Connector#connect} threw; the next task that waits tries again
     */
    public Lease<C> acquire(Duration limit) throws Exception {
        var task = taskFor("acquire");
        var entry = slots.obtain(task, limit);
        boolean served = entry.served;
        entry.served = true;
        // Only in debug mode does a task know where it was spawned.
        var place = task.creation() == null ? null : new Throwable("acquired here, in task " + task.name());
        if (place != null) {
            lent.put(entry, place);
        }
        return new Lease<>(this, entry, served, place);
    }

    /** {@link #call(Duration, Body)} with the options' limit. */
    public <R extends @Nullable Object> R call(Body<? super C, ? extends R> body) throws Exception {
        return call(options.acquireTimeout(), body);
    }

    /**
     * Runs a body with a connection, which serves others when the body returns, and is closed when it throws, unless
     * {@link Connector#reusableAfter} says otherwise. The body must not keep the connection. Throws what {@link #acquire}
     * throws, and what the body throws.
     */
    public <R extends @Nullable Object> R call(Duration limit, Body<? super C, ? extends R> body) throws Exception {
        Objects.requireNonNull(body, "body");
        var entry = slots.obtain(taskFor("call"), limit);
        entry.served = true;
        boolean complete = false;
        try {
            R result = body.call(entry.connection);
            complete = true;
            return result;
        } catch (Exception failure) {
            complete = slots.isReusableAfter(failure);
            throw failure;
        } finally {
            if (complete) {
                slots.giveBack(entry);
            } else {
                slots.giveUp(entry, DiscardReason.FAILED);
            }
        }
    }

    /** {@link #call(Body)} without a result. */
    public void run(Action<? super C> action) throws Exception {
        run(options.acquireTimeout(), action);
    }

    /** {@link #call(Duration, Body)} without a result. */
    public void run(Duration limit, Action<? super C> action) throws Exception {
        Objects.requireNonNull(action, "action");
        this.<@Nullable Void>call(limit, connection -> {
            action.run(connection);
            return null;
        });
    }

    private Task<?> taskFor(String what) {
        var task = home.enter().currentTask();
        if (task == null) {
            throw new IllegalStateException(what + " would stop the loop: call it in a task (loop.spawn)");
        }
        return task;
    }

    void checkThread() {
        home.enter();
    }

    void giveBack(Entry<C> entry) {
        lent.remove(entry);
        slots.giveBack(entry);
    }

    void giveUp(Entry<C> entry) {
        lent.remove(entry);
        slots.giveUp(entry, DiscardReason.FAILED);
    }

    /** A lease was garbage collected. Any thread. */
    void dropped(Entry<C> entry, @Nullable Throwable place) {
        // Once the loop has closed, so have its connections.
        home.post(() -> {
            var where = place == null ? new IllegalStateException("debug mode tells where it was acquired") : place;
            lent.remove(entry);
            home.report("a lease of " + this + " was dropped, neither released nor closed", where);
            slots.giveUp(entry, DiscardReason.DROPPED);
        });
    }

    // The end

    /**
     * Closes the idle connections. Tasks that wait fail with an IllegalStateException; connections in use are closed when
     * they come back. A second call does nothing. Also after the end of its loop, and then on any thread.
     */
    @Override
    public void close() {
        boolean loopIsOpen = home.isOpen();
        if (loopIsOpen) {
            home.enter();
            if (lent.isEmpty()) {
                home.leave();
            }
        }
        if (!slots.isClosed()) {
            slots.close(loopIsOpen);
        }
    }

    /** Its loop is being closed, and the tasks have ended: nobody gives back what is still lent. */
    void loopCloses() {
        lent.values()
                .forEach(place -> home.report(
                        "a lease of " + this + " was neither released nor closed when its loop was closed", place));
        close();
    }

    private void completeIfGone() {
        var future = gone;
        if (slots.isGone() && future != null) {
            future.complete(null);
        }
    }

    /** Done when the pool is closed and the last connection in use has come back; never fails. */
    public LoopFuture<@Nullable Void> waitClosed() {
        var bound = home.enter();
        var future = gone;
        if (future == null) {
            future = new LoopFuture<>(bound);
            gone = future;
            completeIfGone();
        }
        // One for each caller: cancelling it is theirs alone.
        return future.isDone() ? future : future.map(nothing -> null);
    }

    /** Whether it was closed. Any thread. */
    public boolean isClosed() {
        return slots.isClosed();
    }

    // What it is

    /** The options it was made with. Any thread. */
    public PoolOptions options() {
        return options;
    }

    /** What it holds now and has done so far. */
    public PoolStatistics statistics() {
        home.enter();
        return slots.statistics();
    }

    @Override
    public String toString() {
        return slots.toString();
    }
}
