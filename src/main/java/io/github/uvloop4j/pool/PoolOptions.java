package io.github.uvloop4j.pool;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * How a pool is made. Immutable; each method that is named like a component and takes a value returns a changed copy.
 * Durations of 73 years and more are for ever. Any thread.
 *
 * @param name its name in messages
 * @param maxSize how many connections there may be, 1 or more
 * @param maxWaiting how many tasks may wait for one, 0 or more; the next is sent away
 * @param acquireTimeout how long acquire takes at most, unless it is told otherwise; positive
 * @param maxIdleTime after how long without use a connection is closed; positive. Keep it below the peer's own
 *     limit
 * @param maxLifetime after how long a connection is closed, used or not, though never in the middle of a lease;
 *     positive. Each connection gets up to a tenth less, so that not all end at once
 * @param validateAfterIdle from how long without use on {@link Connector#isAlive} is asked; zero for always
 * @param order which idle connection serves next
 */
public record PoolOptions(
        String name,
        int maxSize,
        int maxWaiting,
        Duration acquireTimeout,
        Duration maxIdleTime,
        Duration maxLifetime,
        Duration validateAfterIdle,
        Order order) {
    /** Which of several idle connections serves next. */
    public enum Order {
        /** The one used last: it is the surest to be alive, and those that are too many run into maxIdleTime. */
        LIFO,
        /** The one that waited longest: all are used alike, and a pool that was once large stays so. */
        FIFO
    }

    private static final PoolOptions DEFAULTS = new PoolOptions(
            "connections",
            10,
            Integer.MAX_VALUE,
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(30),
            Duration.ofSeconds(1),
            Order.LIFO);

    /** Checks the ranges. */
    public PoolOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(order, "order");
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize must be 1 or more: " + maxSize);
        }
        if (maxWaiting < 0) {
            throw new IllegalArgumentException("maxWaiting must be 0 or more: " + maxWaiting);
        }
        Durations.positive(acquireTimeout, "acquireTimeout");
        Durations.positive(maxIdleTime, "maxIdleTime");
        Durations.positive(maxLifetime, "maxLifetime");
        if (Objects.requireNonNull(validateAfterIdle, "validateAfterIdle").isNegative()) {
            throw new IllegalArgumentException("validateAfterIdle must not be negative: " + validateAfterIdle);
        }
    }

    /** The defaults: 10 connections, a minute idle, half an hour of life, 30 seconds to acquire, LIFO. */
    public static PoolOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with another name. */
    public PoolOptions name(String value) {
        return new PoolOptions(
                value, maxSize, maxWaiting, acquireTimeout, maxIdleTime, maxLifetime, validateAfterIdle, order);
    }

    /** A copy with another bound of connections, 1 or more. */
    public PoolOptions maxSize(int value) {
        return new PoolOptions(
                name, value, maxWaiting, acquireTimeout, maxIdleTime, maxLifetime, validateAfterIdle, order);
    }

    /** A copy with another bound of waiting tasks, 0 or more. */
    public PoolOptions maxWaiting(int value) {
        return new PoolOptions(
                name, maxSize, value, acquireTimeout, maxIdleTime, maxLifetime, validateAfterIdle, order);
    }

    /** A copy with another limit for acquire. */
    public PoolOptions acquireTimeout(Duration value) {
        return new PoolOptions(name, maxSize, maxWaiting, value, maxIdleTime, maxLifetime, validateAfterIdle, order);
    }

    /** A copy with another limit for idle connections. */
    public PoolOptions maxIdleTime(Duration value) {
        return new PoolOptions(name, maxSize, maxWaiting, acquireTimeout, value, maxLifetime, validateAfterIdle, order);
    }

    /** A copy with another limit for the life of a connection. */
    public PoolOptions maxLifetime(Duration value) {
        return new PoolOptions(name, maxSize, maxWaiting, acquireTimeout, maxIdleTime, value, validateAfterIdle, order);
    }

    /** A copy with another idle time from which on connections are checked. */
    public PoolOptions validateAfterIdle(Duration value) {
        return new PoolOptions(name, maxSize, maxWaiting, acquireTimeout, maxIdleTime, maxLifetime, value, order);
    }

    /** A copy with another order of reuse. */
    public PoolOptions order(Order value) {
        return new PoolOptions(
                name, maxSize, maxWaiting, acquireTimeout, maxIdleTime, maxLifetime, validateAfterIdle, value);
    }
}
