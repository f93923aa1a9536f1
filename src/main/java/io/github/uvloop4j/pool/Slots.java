package io.github.uvloop4j.pool;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.Timeout;
import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what. A slot is taken by an idle connection or by a task, whatever the task does in it: connect, check, use.
 * Whoever holds a slot ends it with {@link #giveBack} or {@link #giveUp} or, without a connection, {@link #freeSlot};
 * each passes it on to the first task that waits. While a task waits, no connection is idle and no slot is free.
 */
final class Slots<C extends AutoCloseable> {
    private final Home home;
    private final Connector<C> connector;
    private final PoolOptions options;
    private final long validateAfter;
    private final IdleEntries<C> idle;
    private final LinkedHashSet<Waiter<C>> waiters = new LinkedHashSet<>();
    private final Counters counters = new Counters();
    private final Runnable onGone;
    private int busy;
    private int connecting;
    private volatile boolean closed;

    Slots(Home home, Connector<C> connector, PoolOptions options, Runnable onGone) {
        this.home = home;
        this.connector = connector;
        this.options = options;
        this.onGone = onGone;
        this.validateAfter = Durations.nanos(options.validateAfterIdle(), "validateAfterIdle");
        this.idle = new IdleEntries<>(options, this::expired);
    }

    // Getting a slot, and a connection in it

    /** A connection in a slot that the task holds from now on. */
    Entry<C> obtain(Task<?> task, Duration limit) throws Exception {
        Durations.positive(limit, "limit");
        if (closed) {
            throw new IllegalStateException("closed: " + this);
        }
        var entry = idle.take();
        boolean held = entry != null || busy + idle.size() < options.maxSize();
        if (!held && waiters.size() >= options.maxWaiting()) {
            counters.rejected++;
            throw new RejectedExecutionException("too many tasks wait: " + this);
        }
        if (held) {
            busy++;
        }
        if (entry != null && !isStale(entry)) {
            if (isFit(entry)) {
                counters.reused++;
                return entry;
            }
            entry = null;
        }
        return obtainSlowly(task, limit, held, entry);
    }

    private Entry<C> obtainSlowly(Task<?> task, Duration limit, boolean held, @Nullable Entry<C> stale)
            throws Exception {
        var scope = Durations.nanos(limit, "limit") == Durations.FOREVER ? Timeout.never() : Timeout.after(limit);
        try {
            return scope.call(over -> fill(held ? stale : waitForSlot(task)));
        } catch (TimeoutException late) {
            if (!scope.isExpired()) {
                throw late;
            }
            counters.timeouts++;
            var timeout = new TimeoutException("no connection within " + limit + ": " + this);
            timeout.initCause(late);
            throw timeout;
        }
    }

    private @Nullable Entry<C> waitForSlot(Task<?> task) {
        var waiter = new Waiter<C>(task);
        waiters.addLast(waiter);
        try {
            while (!waiter.granted && !closed) {
                task.park();
            }
        } catch (Throwable cancelled) {
            handOn(waiter);
            throw cancelled;
        }
        if (!waiter.granted) {
            throw new IllegalStateException("closed while task " + task.name() + " waited: " + this);
        }
        return waiter.entry;
    }

    /** A cancelled task does not take with it what it was given in the same turn. */
    private void handOn(Waiter<C> waiter) {
        var entry = waiter.entry;
        if (!waiter.granted) {
            waiters.remove(waiter);
        } else if (entry == null) {
            freeSlot();
        } else {
            giveBack(entry);
        }
    }

    /** A connection that may serve, in a slot that the task holds: the given one, an idle one, or a new one. */
    private Entry<C> fill(@Nullable Entry<C> given) throws Exception {
        boolean done = false;
        try {
            var entry = given;
            while (entry != null && !(isFit(entry) && (!isStale(entry) || isAlive(entry)))) {
                entry = idle.take();
            }
            if (entry == null) {
                entry = connect();
            } else {
                counters.reused++;
            }
            done = true;
            return entry;
        } finally {
            if (!done) {
                freeSlot();
            }
        }
    }

    private Entry<C> connect() throws Exception {
        if (closed) {
            throw new IllegalStateException("closed: " + this);
        }
        C connection = null;
        connecting++;
        try {
            connection = Objects.requireNonNull(connector.connect(), "Connector.connect returned null");
        } finally {
            connecting--;
            if (connection == null) {
                counters.connectFailures++;
            }
        }
        counters.created++;
        var entry = new Entry<>(connection, idle.deathOfNew());
        if (closed) {
            discard(entry, DiscardReason.CLOSED);
            throw new IllegalStateException("closed while it connected: " + this);
        }
        return entry;
    }

    // Whether a connection may serve

    /** Whether it was idle for so long that the peer must be asked. */
    private boolean isStale(Entry<C> entry) {
        return System.nanoTime() - entry.idleSince >= validateAfter;
    }

    /** Discards it if not. */
    private boolean isFit(Entry<C> entry) {
        var reason = reasonAgainst(entry, System.nanoTime());
        if (reason != null) {
            discard(entry, reason);
        }
        return reason == null;
    }

    private @Nullable DiscardReason reasonAgainst(Entry<C> entry, long now) {
        if (closed) {
            return DiscardReason.CLOSED;
        }
        var expiry = idle.expiry(entry, now);
        if (expiry != null) {
            return expiry;
        }
        return ask("isClean", () -> connector.isClean(entry.connection)) ? null : DiscardReason.UNHEALTHY;
    }

    /** Asks the peer; discards the connection if it does not answer as it should. */
    private boolean isAlive(Entry<C> entry) throws Exception {
        var reason = DiscardReason.FAILED;
        try {
            boolean alive = connector.isAlive(entry.connection);
            reason = closed ? DiscardReason.CLOSED : alive ? null : DiscardReason.UNHEALTHY;
        } catch (CancellationException | InterruptedException cancelled) {
            throw cancelled;
        } catch (Exception no) {
            reason = DiscardReason.UNHEALTHY;
        } finally {
            if (reason != null) {
                discard(entry, reason);
            }
        }
        return reason == null;
    }

    boolean isReusableAfter(Exception failure) {
        boolean cancelled = failure instanceof CancellationException || failure instanceof InterruptedException;
        return !cancelled && ask("reusableAfter", () -> connector.reusableAfter(failure));
    }

    private boolean ask(String what, Callable<Boolean> question) {
        try {
            return question.call();
        } catch (Throwable error) {
            home.report(what + " of the connector of " + this + " failed", error);
            return false;
        }
    }

    // Giving it back

    /** Ends a use after which the connection may serve others. */
    void giveBack(Entry<C> entry) {
        long now = System.nanoTime();
        entry.idleSince = now;
        var reason = reasonAgainst(entry, now);
        if (reason != null) {
            giveUp(entry, reason);
        } else if (!waiters.isEmpty()) {
            waiters.removeFirst().grant(entry);
        } else {
            busy--;
            idle.put(home.enter(), entry, now);
        }
    }

    /** Ends a use together with the connection. */
    void giveUp(Entry<C> entry, DiscardReason reason) {
        discard(entry, reason);
        freeSlot();
    }

    private void freeSlot() {
        if (!waiters.isEmpty()) {
            waiters.removeFirst().grant(null);
            return;
        }
        busy--;
        if (isGone()) {
            onGone.run();
        }
    }

    private void expired(Entry<C> entry) {
        discard(entry, entry.diesAt - System.nanoTime() <= 0 ? DiscardReason.LIFETIME : DiscardReason.IDLE);
    }

    private void discard(Entry<C> entry, DiscardReason reason) {
        counters.discarded(reason);
        try {
            connector.discard(entry.connection, reason);
        } catch (Throwable error) {
            home.report("closing a connection of " + this + " failed", error);
        }
    }

    // The end

    void close(boolean loopIsOpen) {
        closed = true;
        var waiting = List.copyOf(waiters);
        waiters.clear();
        waiting.forEach(waiter -> waiter.task.unpark());
        idle.clear(loopIsOpen).forEach(entry -> discard(entry, DiscardReason.CLOSED));
        if (isGone()) {
            onGone.run();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether it is closed and the last task has left. */
    boolean isGone() {
        return closed && busy == 0;
    }

    PoolStatistics statistics() {
        return counters.with(options.maxSize(), idle.size(), busy - connecting, connecting, waiters.size());
    }

    @Override
    public String toString() {
        int size = busy + idle.size();
        return "pool " + options.name() + '[' + size + " of " + options.maxSize() + ": " + idle.size() + " idle, "
                + (busy - connecting) + " in use, " + connecting + " connecting, " + waiters.size() + " waiting"
                + (closed ? ", closed]" : "]");
    }
}
