package io.github.uvloop4j.work;

/**
 * Measures a kind of work and decides where it runs. Only durations and the times that it is told go in, so that a
 * decision can be replayed. Loop thread only.
 *
 * <p>The expectation takes a quarter of what a longer call exceeds it by, and a sixteenth of what a shorter one falls
 * below it: what holds up a loop is the long calls. A kind leaves the loop as soon as the expectation is above the
 * upper threshold. It comes back under the lower one only, after a number of calls and some time; the number doubles
 * when it soon has to leave again, so that a kind which changes all the time settles off the loop.
 */
final class Meter {
    private static final int RISE = 2;
    private static final int FALL = 4;
    private static final int MOST_DOUBLINGS = 10;
    private static final int LONG_STAY = 64;

    private final boolean adaptive;
    private final long inlineBelow;
    private final long offloadAbove;
    private final long minCalls;
    private final long dwell;

    private Decision decision;
    private long expected;
    private long longest;
    private long total;
    private long measured;
    private long switches;
    private long measuredAtSwitch;
    private long leftAt;
    private boolean hasLeft;
    private int doublings;

    Meter(WorkPolicy policy) {
        this.adaptive = policy.adaptive();
        this.inlineBelow = WorkPolicy.nanos(policy.inlineBelow());
        this.offloadAbove = WorkPolicy.nanos(policy.offloadAbove());
        this.minCalls = policy.minCalls();
        this.dwell = WorkPolicy.nanos(policy.dwell());
        this.decision = policy.start();
    }

    /** Takes the duration of a call that ended now; true when that changed the decision. */
    boolean record(long duration, long now) {
        if (duration > longest) {
            longest = duration;
        }
        total += duration;
        if (measured++ == 0) {
            expected = duration;
        } else {
            long difference = duration - expected;
            expected += difference > 0 ? difference >> RISE : difference >> FALL;
        }
        if (decision == Decision.INLINE) {
            return expected > offloadAbove && adaptive && leave(now);
        }
        return expected < inlineBelow && adaptive && comeBack(now);
    }

    private boolean leave(long now) {
        boolean stayedLong = sinceSwitch() > LONG_STAY * needed();
        doublings = stayedLong || switches == 0 ? 0 : Math.min(doublings + 1, MOST_DOUBLINGS);
        leftAt = now;
        hasLeft = true;
        change(Decision.OFFLOAD);
        return true;
    }

    private boolean comeBack(long now) {
        if (sinceSwitch() < needed() || hasLeft && now - leftAt < dwell) {
            return false;
        }
        change(Decision.INLINE);
        return true;
    }

    private void change(Decision next) {
        decision = next;
        switches++;
        measuredAtSwitch = measured;
    }

    private long sinceSwitch() {
        return measured - measuredAtSwitch;
    }

    private long needed() {
        return minCalls << doublings;
    }

    Decision decision() {
        return decision;
    }

    /** Whether a call of a kind that is off the loop could run on it without harm. */
    boolean isShort() {
        return adaptive && measured > 0 && expected <= offloadAbove;
    }

    long expected() {
        return expected;
    }

    long mean() {
        return measured == 0 ? 0 : total / measured;
    }

    long longest() {
        return longest;
    }

    long switches() {
        return switches;
    }
}
