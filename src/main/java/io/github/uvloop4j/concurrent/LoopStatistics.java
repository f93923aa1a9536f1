package io.github.uvloop4j.concurrent;

/**
 * What a loop has done since it was made. Durations are in ns. Immutable. Any thread.
 *
 * <p>A turn runs what is ready, polls the kernel, and calls back for each event that the poll brought. All of it is zero
 * for a loop whose metrics are off, but for the tasks.
 *
 * @param turns how long each turn kept the thread busy, which is all of it but the poll
 * @param ready the part of a turn that ran what was ready: calls, timers and steps of tasks
 * @param callbacks the part of a turn that ran callbacks of events, in turns that had some
 * @param polls how long each poll was blocked
 * @param pollLimits how long each poll was allowed to block, of those that had a limit above zero
 * @param oversleeps by how much polls outlasted their limit, where that was a millisecond or more: the machine was late
 * @param pollsForReady how many polls did not block since something was ready
 * @param pollsForTimers how many polls were limited by a timer
 * @param pollsForEvents how many polls were not limited
 * @param events how many callbacks of events each turn had, in turns that had some: a number, no duration
 * @param calls how many calls, timers and steps of tasks were run
 * @param posts how many calls came from other threads
 * @param readyDelay how long the first of what was ready had waited for its turn
 * @param wakeDelay how long it took from a post that had to wake the loop to the turn that runs it
 * @param timerLateness how late each timer was moved to what is ready
 * @param tasks how many tasks have not ended
 */
public record LoopStatistics(
        Histogram turns,
        Histogram ready,
        Histogram callbacks,
        Histogram polls,
        Histogram pollLimits,
        Histogram oversleeps,
        long pollsForReady,
        long pollsForTimers,
        long pollsForEvents,
        Histogram events,
        long calls,
        long posts,
        Histogram readyDelay,
        Histogram wakeDelay,
        Histogram timerLateness,
        int tasks) {

    /** The share of the time in which the loop was busy, 0 to 1; 0 before the first turn. */
    public double busyShare() {
        double busy = turns.total();
        double all = busy + polls.total();
        return all == 0 ? 0 : busy / all;
    }

    /** Those of two loops together. */
    public LoopStatistics plus(LoopStatistics other) {
        return new LoopStatistics(
                turns.plus(other.turns),
                ready.plus(other.ready),
                callbacks.plus(other.callbacks),
                polls.plus(other.polls),
                pollLimits.plus(other.pollLimits),
                oversleeps.plus(other.oversleeps),
                pollsForReady + other.pollsForReady,
                pollsForTimers + other.pollsForTimers,
                pollsForEvents + other.pollsForEvents,
                events.plus(other.events),
                calls + other.calls,
                posts + other.posts,
                readyDelay.plus(other.readyDelay),
                wakeDelay.plus(other.wakeDelay),
                timerLateness.plus(other.timerLateness),
                tasks + other.tasks);
    }

    /** What has come since an earlier snapshot of the same loop; the tasks are those of now. */
    public LoopStatistics since(LoopStatistics earlier) {
        return new LoopStatistics(
                turns.since(earlier.turns),
                ready.since(earlier.ready),
                callbacks.since(earlier.callbacks),
                polls.since(earlier.polls),
                pollLimits.since(earlier.pollLimits),
                oversleeps.since(earlier.oversleeps),
                pollsForReady - earlier.pollsForReady,
                pollsForTimers - earlier.pollsForTimers,
                pollsForEvents - earlier.pollsForEvents,
                events.since(earlier.events),
                calls - earlier.calls,
                posts - earlier.posts,
                readyDelay.since(earlier.readyDelay),
                wakeDelay.since(earlier.wakeDelay),
                timerLateness.since(earlier.timerLateness),
                tasks);
    }
}
