package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A limit on how long a part of a task may take; asyncio's {@code timeout}. When the time is over, the task is
 * cancelled inside the part, which may clean up, and the part ends with a TimeoutException.
 *
 * {@snippet :
 * var page = Timeout.after(Duration.ofSeconds(3)).call(limit -> {
 *     try (var conn = loop.net().openConnection("127.0.0.1", 7000)) {
 *         limit.reschedule(Duration.ofSeconds(10));
 *         return conn.readAll();
 *     }
 * });
 * }
 *
 * <p>A value that is there in the turn in which the time is over is returned. A cancel from outside, or the limit of an
 * outer scope, passes through as the CancellationException that it is. Limits nest. Each object serves once. Loop
 * thread only.
 */
public final class Timeout {
    /** A part of a task that has a limit, which it may move. */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        /** Does the work. */
        T call(Timeout limit) throws Exception;
    }

    /** {@link Body} without a result. */
    @FunctionalInterface
    public interface VoidBody {
        /** Does the work. */
        void run(Timeout limit) throws Exception;
    }

    private static final long NEVER = Long.MAX_VALUE;

    /** A delay until the scope is entered, then the deadline. */
    private long when;

    private boolean relative;
    private @Nullable Task<?> task;
    private @Nullable TimerHandle timer;
    private @Nullable CancelRequest request;
    private int requestsBefore;
    private int shields;
    private boolean over;

    private Timeout(long when, boolean relative) {
        this.when = when;
        this.relative = relative;
    }

    /**
     * A limit that counts from the start of the part.
     *
     * @param limit zero or negative: over at the first await
     */
    public static Timeout after(Duration limit) {
        return new Timeout(Durations.nanos(limit, "limit"), true);
    }

    /** A limit on the clock of {@link System#nanoTime}, at most a hundred years off. */
    public static Timeout at(long nanoTime) {
        return new Timeout(Durations.bounded(nanoTime), false);
    }

    /** No limit, until {@link #reschedule} sets one. */
    public static Timeout never() {
        return new Timeout(NEVER, false);
    }

    /**
     * Awaits a future and cancels it when the time is over; a task among them is waited for until it has ended.
     *
     * @return the value, also if it came in the turn in which the time was over
     * @throws TimeoutException when it was not done in time
     */
    public static <T extends @Nullable Object> T waitFor(LoopFuture<T> future, Duration limit) throws Exception {
        Objects.requireNonNull(future, "future");
        return after(limit).call(scope -> future.await());
    }

    /**
     * Runs a part of the calling task within the limit.
     *
     * @throws TimeoutException when it was cut off; its cause is the CancellationException inside
     * @throws IllegalStateException outside a task, or when this object has served already
     * @throws Exception what the part throws
     */
    public <T extends @Nullable Object> T call(Body<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        if (task != null || over) {
            throw new IllegalStateException("a timeout serves once");
        }
        var running = Task.running("a timeout");
        task = running;
        shields = running.shields();
        requestsBefore = running.toldCancels();
        if (relative) {
            relative = false;
            when = Durations.deadline(when);
        }
        arm();
        try {
            return body.call(this);
        } catch (Throwable error) {
            throw Throwables.<Exception>sneak(leave(running) && Interrupts.isCancel(error) ? timedOut(error) : error);
        } finally {
            leave(running);
        }
    }

    /** {@link #call} without a result. */
    public void run(VoidBody body) throws Exception {
        Objects.requireNonNull(body, "body");
        this.<@Nullable Void>call(limit -> {
            body.run(limit);
            return null;
        });
    }

    /** Takes the own request back; whether the cancel that the part saw was no other than that. */
    private boolean leave(Task<?> running) {
        over = true;
        disarm();
        return request != null && running.withdraw(request) <= requestsBefore;
    }

    private static TimeoutException timedOut(Throwable error) {
        var timeout = new TimeoutException("the time limit is over");
        timeout.initCause(error);
        return timeout;
    }

    private void arm() {
        if (when != NEVER) {
            timer = loop().at(when, this::expire);
        }
    }

    private void disarm() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void expire() {
        timer = null;
        var running = task;
        if (!over && running != null) {
            request = running.request(CancelRequest.ofScope("its time limit is over", shields));
        }
    }

    private LoopContext loop() {
        var running = task;
        var loop = running == null ? LoopContext.current() : running.context();
        if (loop == null || !loop.inLoop()) {
            throw new IllegalStateException("not on the loop thread of this timeout but on " + Thread.currentThread());
        }
        return loop;
    }

    /**
     * Moves the limit to so long from now.
     *
     * @throws IllegalStateException when the limit is over, or the part has ended
     */
    public void reschedule(Duration limit) {
        long nanos = Durations.nanos(limit, "limit");
        if (task == null) {
            movable();
            when = nanos;
            relative = true;
        } else {
            rescheduleAt(Durations.deadline(nanos));
        }
    }

    /** {@link #reschedule} to a value of {@link System#nanoTime}. */
    public void rescheduleAt(long nanoTime) {
        movable();
        when = Durations.bounded(nanoTime);
        relative = false;
        if (task != null) {
            disarm();
            arm();
        }
    }

    /** Removes the limit. Throws as {@link #reschedule} does. */
    public void remove() {
        movable();
        when = NEVER;
        relative = false;
        disarm();
    }

    private void movable() {
        if (over) {
            throw new IllegalStateException("the part that this timeout limits has ended");
        }
        if (request != null) {
            throw new IllegalStateException("the time limit is over already");
        }
        if (task != null) {
            loop();
        }
    }

    /** How long is left, never negative; null without a limit. Before the part starts, the whole limit. */
    public @Nullable Duration left() {
        if (when == NEVER) {
            return null;
        }
        return Duration.ofNanos(relative ? when : Math.max(0, when - System.nanoTime()));
    }

    /** Whether the time was over before the part ended. */
    public boolean isExpired() {
        return request != null;
    }

    @Override
    public String toString() {
        var state = over ? "ended" : request != null ? "expired" : task == null ? "not started" : "active";
        var left = left();
        return "Timeout[" + state
                + (left == null || over ? "" : ", " + TimeUnit.NANOSECONDS.toMillis(left.toNanos()) + " ms left") + ']';
    }
}
