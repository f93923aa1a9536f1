package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How often a call is tried, and how long to wait between: a delay that grows by a factor up to a limit, less a random
 * part so that many callers do not come back together. A cancel is never retried. Immutable; each method that is named
 * like a component returns a changed copy.
 *
 * {@snippet :
 * var page = Retry.times(5).attemptLimit(Duration.ofSeconds(2)).call(() -> fetch("a"));
 * }
 *
 * @param attempts how often in all, at least 1
 * @param firstDelay the delay after the first failure
 * @param factor what each further delay grows by, at least 1
 * @param maxDelay the longest delay
 * @param jitter which part of a delay is random, 0 to 1
 * @param attemptLimit how long one attempt may take, or null; what takes longer failed with a TimeoutException
 * @param when which failures are tried again
 */
public record Retry(
        int attempts,
        Duration firstDelay,
        double factor,
        Duration maxDelay,
        double jitter,
        @Nullable Duration attemptLimit,
        Predicate<? super Throwable> when) {
    private static final int KEPT = 10;

    /** Checks the ranges. */
    public Retry {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
        }
        if (Objects.requireNonNull(firstDelay, "firstDelay").isNegative()) {
            throw new IllegalArgumentException("firstDelay is negative: " + firstDelay);
        }
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("factor must be at least 1: " + factor);
        }
        if (Objects.requireNonNull(maxDelay, "maxDelay").compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("maxDelay " + maxDelay + " is below firstDelay " + firstDelay);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter must be 0 to 1: " + jitter);
        }
        if (attemptLimit != null) {
            Durations.positive(attemptLimit, "attemptLimit");
        }
        Objects.requireNonNull(when, "when");
    }

    /** So many attempts, with delays from 100 ms that double up to 30 s, half of each random, after any exception. */
    public static Retry times(int attempts) {
        return new Retry(
                attempts, Duration.ofMillis(100), 2, Duration.ofSeconds(30), 0.5, null, Exception.class::isInstance);
    }

    /** A copy with another number of attempts. */
    public Retry attempts(int value) {
        return new Retry(value, firstDelay, factor, maxDelay, jitter, attemptLimit, when);
    }

    /** A copy with other delays: the first, and the longest. */
    public Retry delays(Duration first, Duration longest) {
        return new Retry(attempts, first, factor, longest, jitter, attemptLimit, when);
    }

    /** A copy with another factor. */
    public Retry factor(double value) {
        return new Retry(attempts, firstDelay, value, maxDelay, jitter, attemptLimit, when);
    }

    /** A copy with another random part. */
    public Retry jitter(double value) {
        return new Retry(attempts, firstDelay, factor, maxDelay, value, attemptLimit, when);
    }

    /** A copy with another limit for one attempt. */
    public Retry attemptLimit(@Nullable Duration value) {
        return new Retry(attempts, firstDelay, factor, maxDelay, jitter, value, when);
    }

    /** A copy that tries other failures again. */
    public Retry when(Predicate<? super Throwable> value) {
        return new Retry(attempts, firstDelay, factor, maxDelay, jitter, attemptLimit, value);
    }

    /**
     * The delay after a number of failures, at most a hundred years.
     *
     * @param failures at least 1
     * @param random 0 to 1: how much of the random part is taken off
     */
    public Duration delay(int failures, double random) {
        if (failures < 1) {
            throw new IllegalArgumentException("failures must be at least 1: " + failures);
        }
        if (!(random >= 0 && random <= 1)) {
            throw new IllegalArgumentException("random must be 0 to 1: " + random);
        }
        long longest = Durations.nanos(maxDelay, "maxDelay");
        double first = Durations.nanos(firstDelay, "firstDelay");
        // Zero times infinity is no number.
        double grown = first == 0 ? 0 : first * Math.pow(factor, failures - 1);
        double whole = Math.min(grown, (double) longest);
        return Duration.ofNanos(Math.min((long) (whole * (1 - jitter * random)), longest));
    }

    /**
     * Calls until it succeeds or was tried often enough. In a task only.
     *
     * @throws Exception what the last attempt failed with, or the cancel that came meanwhile; the failures before it,
     *     at most the last ten, are suppressed ones
     */
    public <T extends @Nullable Object> T call(Callable<T> body) throws Exception {
        Objects.requireNonNull(body, "body");
        var task = Task.running("a retry");
        int shields = task.shields();
        int requestsBefore = task.toldCancels();
        var earlier = new ArrayDeque<Throwable>();
        try {
            for (int failures = 1; ; failures++) {
                try {
                    return attempt(body);
                } catch (Throwable error) {
                    boolean cancelled = Interrupts.isCancel(error) || task.cancelling(shields) > requestsBefore;
                    if (cancelled || failures == attempts) {
                        throw error;
                    }
                    keep(earlier, error);
                    if (!when.test(error)) {
                        throw error;
                    }
                }
                Task.sleep(delay(failures, ThreadLocalRandom.current().nextDouble()));
            }
        } catch (Throwable last) {
            for (var error : earlier) {
                if (error != last) {
                    last.addSuppressed(error);
                }
            }
            throw last;
        }
    }

    /** Once each, and not all of them: some calls are tried for ever. */
    private static void keep(ArrayDeque<Throwable> earlier, Throwable error) {
        earlier.removeIf(kept -> kept == error);
        if (earlier.size() == KEPT) {
            earlier.removeFirst();
        }
        earlier.addLast(error);
    }

    private <T extends @Nullable Object> T attempt(Callable<T> body) throws Exception {
        return attemptLimit == null ? body.call() : Timeout.after(attemptLimit).call(limit -> body.call());
    }
}
