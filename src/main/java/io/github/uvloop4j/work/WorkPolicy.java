package io.github.uvloop4j.work;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How a kind of work is to be treated. Immutable; start at a preset, each method that is named like a component returns
 * a changed copy. Any thread.
 *
 * @param start where the first calls run, whose cost is not known yet; all of them, unless it is adaptive
 * @param adaptive whether measuring moves the kind
 * @param place where calls run that do not run on the loop
 * @param inlineBelow the kind comes back to the loop when a call is expected to take less
 * @param offloadAbove the kind leaves the loop when a call is expected to take more; a single call that takes over four
 *     times as long is enough
 * @param minCalls how many calls must have been measured off the loop before the kind comes to it, 1 to a million. It
 *     doubles each time the kind does not stay there for long
 * @param dwell how long a kind that left the loop stays away at least
 * @param queueLimit how many calls may wait for a worker before {@code whenFull} applies
 * @param whenFull what becomes of a call when more wait
 */
public record WorkPolicy(
        Decision start,
        boolean adaptive,
        Place place,
        Duration inlineBelow,
        Duration offloadAbove,
        int minCalls,
        Duration dwell,
        int queueLimit,
        WhenFull whenFull) {
    private static final int MOST_CALLS = 1_000_000;

    /** Where calls run that do not run on the loop. */
    public enum Place {
        /** The JVM's {@link CpuPool}: for calls that compute. */
        CPU_POOL,
        /** The loop's executor, by default virtual threads: for calls that block. */
        EXECUTOR
    }

    /** What becomes of a call that is to leave the loop while too many wait already. */
    public enum WhenFull {
        /** It runs on the loop if it is expected to take no longer than {@code offloadAbove}, else it waits. */
        INLINE_IF_SHORT,
        /** It waits for its turn all the same, and its task with it. */
        WAIT,
        /** It throws RejectedExecutionException. */
        REJECT
    }

    /** Checks the ranges. */
    public WorkPolicy {
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(place, "place");
        Objects.requireNonNull(whenFull, "whenFull");
        if (!Objects.requireNonNull(inlineBelow, "inlineBelow").isPositive()) {
            throw new IllegalArgumentException("inlineBelow must be positive: " + inlineBelow);
        }
        if (Objects.requireNonNull(offloadAbove, "offloadAbove").compareTo(inlineBelow) < 0) {
            throw new IllegalArgumentException(
                    "offloadAbove must not be less than inlineBelow, " + inlineBelow + ": " + offloadAbove);
        }
        if (minCalls < 1 || minCalls > MOST_CALLS) {
            throw new IllegalArgumentException("minCalls must be 1 to " + MOST_CALLS + ": " + minCalls);
        }
        if (Objects.requireNonNull(dwell, "dwell").isNegative()) {
            throw new IllegalArgumentException("dwell must not be negative: " + dwell);
        }
        if (queueLimit < 0) {
            throw new IllegalArgumentException("queueLimit must not be negative: " + queueLimit);
        }
    }

    private static WorkPolicy preset(Decision start, boolean adaptive, Place place, WhenFull whenFull) {
        return new WorkPolicy(
                start,
                adaptive,
                place,
                Duration.ofNanos(100_000),
                Duration.ofNanos(200_000),
                16,
                Duration.ofMillis(1),
                Runtime.getRuntime().availableProcessors() * 3 / 2,
                whenFull);
    }

    /** Computes, mostly for less than 0.1 ms: starts on the loop, and runs there when the pool is busy. */
    public static WorkPolicy shortCpu() {
        return preset(Decision.INLINE, true, Place.CPU_POOL, WhenFull.INLINE_IF_SHORT);
    }

    /** Computes, for how long is not known: starts on the {@link CpuPool}, comes to the loop if it is short. */
    public static WorkPolicy cpuBound() {
        return preset(Decision.OFFLOAD, true, Place.CPU_POOL, WhenFull.WAIT);
    }

    /** Blocks: always on the loop's executor, by default a virtual thread for each call. */
    public static WorkPolicy blocking() {
        return preset(Decision.OFFLOAD, false, Place.EXECUTOR, WhenFull.WAIT);
    }

    /** Always on the loop; only measured. */
    public static WorkPolicy inline() {
        return preset(Decision.INLINE, false, Place.CPU_POOL, WhenFull.WAIT);
    }

    /** Always on the {@link CpuPool}. */
    public static WorkPolicy offloaded() {
        return preset(Decision.OFFLOAD, false, Place.CPU_POOL, WhenFull.WAIT);
    }

    /** A copy whose first calls run elsewhere. */
    public WorkPolicy start(Decision value) {
        return new WorkPolicy(value, adaptive, place, inlineBelow, offloadAbove, minCalls, dwell, queueLimit, whenFull);
    }

    /** A copy that measuring moves, or does not. */
    public WorkPolicy adaptive(boolean value) {
        return new WorkPolicy(start, value, place, inlineBelow, offloadAbove, minCalls, dwell, queueLimit, whenFull);
    }

    /** A copy with another place off the loop. */
    public WorkPolicy place(Place value) {
        return new WorkPolicy(start, adaptive, value, inlineBelow, offloadAbove, minCalls, dwell, queueLimit, whenFull);
    }

    /** A copy with another lower threshold. */
    public WorkPolicy inlineBelow(Duration value) {
        return thresholds(value, offloadAbove);
    }

    /** A copy with another upper threshold. */
    public WorkPolicy offloadAbove(Duration value) {
        return thresholds(inlineBelow, value);
    }

    /** A copy with two other thresholds. */
    public WorkPolicy thresholds(Duration lower, Duration upper) {
        return new WorkPolicy(start, adaptive, place, lower, upper, minCalls, dwell, queueLimit, whenFull);
    }

    /** A copy that wants another number of calls measured. */
    public WorkPolicy minCalls(int value) {
        return new WorkPolicy(start, adaptive, place, inlineBelow, offloadAbove, value, dwell, queueLimit, whenFull);
    }

    /** A copy that stays off the loop for another time. */
    public WorkPolicy dwell(Duration value) {
        return new WorkPolicy(start, adaptive, place, inlineBelow, offloadAbove, minCalls, value, queueLimit, whenFull);
    }

    /** A copy with another limit for the queue. */
    public WorkPolicy queueLimit(int value) {
        return new WorkPolicy(start, adaptive, place, inlineBelow, offloadAbove, minCalls, dwell, value, whenFull);
    }

    /** A copy that treats a full queue in another way. */
    public WorkPolicy whenFull(WhenFull value) {
        return new WorkPolicy(start, adaptive, place, inlineBelow, offloadAbove, minCalls, dwell, queueLimit, value);
    }

    /** A duration in ns; what does not fit is for ever. */
    static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }
}
