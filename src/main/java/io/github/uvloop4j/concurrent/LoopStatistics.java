package io.github.uvloop4j.concurrent;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * What a loop has done since it was made. Durations are in ns. Immutable. Any thread.
 *
 * <p>A turn runs what is ready, polls the kernel, and calls back for each event that the poll brought. All of it is zero
 * for a loop whose metrics are off, but for tasks, connections, handles and calls to executors.
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
 * @param kinds how long the loop spent at a stretch on each kind of work: one after the other of the same kind is one
 *     stretch, which does not outlast a turn
 * @param io what went through its connections
 * @param handles how many handles of libuv are open, by libuv's name of their type
 * @param tasksMade how many tasks were made
 * @param tasks how many tasks have not ended
 * @param offloaded how many calls were given to executors, the JVM's CPU pool among them
 * @param offloading how many of those have not ended
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
        Map<WorkKind, Histogram> kinds,
        IoStatistics io,
        Map<String, Integer> handles,
        long tasksMade,
        int tasks,
        long offloaded,
        int offloading) {

    /** Copies the maps. */
    public LoopStatistics {
        var byKind = new EnumMap<WorkKind, Histogram>(WorkKind.class);
        byKind.putAll(kinds);
        kinds = Collections.unmodifiableMap(byKind);
        handles = Collections.unmodifiableMap(new TreeMap<>(handles));
    }

    /** How long the loop spent on a kind of work. */
    public Histogram kind(WorkKind kind) {
        return kinds.getOrDefault(kind, Histogram.empty());
    }

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
                combined(kinds, other.kinds, Histogram::plus),
                io.plus(other.io),
                combined(handles, other.handles, Integer::sum),
                tasksMade + other.tasksMade,
                tasks + other.tasks,
                offloaded + other.offloaded,
                offloading + other.offloading);
    }

    private static <K, V> Map<K, V> combined(Map<K, V> a, Map<K, V> b, BinaryOperator<V> how) {
        var all = new TreeMap<K, V>(a);
        b.forEach((key, value) -> all.merge(key, value, how));
        return all;
    }

    private Map<WorkKind, Histogram> kindsSince(LoopStatistics earlier) {
        var since = new EnumMap<WorkKind, Histogram>(WorkKind.class);
        kinds.forEach((kind, histogram) -> since.put(kind, histogram.since(earlier.kind(kind))));
        return since;
    }

    /**
     * What has come since an earlier snapshot of the same loop; what is open or under way, tasks, connections and
     * handles, is that of now.
     */
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
                kindsSince(earlier),
                io.since(earlier.io),
                handles,
                tasksMade - earlier.tasksMade,
                tasks,
                offloaded - earlier.offloaded,
                offloading);
    }
}
