package io.github.uvloop4j.cli.observe;

/** What a loop has counted since it was made: times in ns, bytes, or how often. */
public enum Counter {
    /** Turns of the loop. */
    TURNS("turns"),
    /** Time in which its thread was busy. */
    BUSY("busy"),
    /** Time in which it was blocked in its poll. */
    POLLED("polled"),
    /** Calls, timers and steps of tasks that were run. */
    CALLS("calls"),
    /** Calls that came from other threads. */
    POSTS("posts"),
    /** Polls that did not block since something was ready. */
    POLLS_FOR_READY("pollsForReady"),
    /** Polls that a timer limited. */
    POLLS_FOR_TIMERS("pollsForTimers"),
    /** Polls that nothing limited. */
    POLLS_FOR_EVENTS("pollsForEvents"),
    /** Callbacks of events. */
    EVENTS("events"),
    /** Tasks that were made. */
    TASKS_MADE("tasksMade"),
    /** Calls that were given to executors. */
    OFFLOADED("offloaded"),
    /** Connections that came in. */
    ACCEPTED("accepted"),
    /** Bytes received. */
    BYTES_RECEIVED("bytesReceived"),
    /** Bytes that the kernel has taken. */
    BYTES_SENT("bytesSent"),
    /** How often writers were paused for back-pressure. */
    PAUSES("pauses"),
    /** Polls that outlasted their limit. */
    OVERSLEEPS("oversleeps"),
    /** By how much they did so, together. */
    OVERSLEPT("overslept"),
    /** Time in calls. */
    CALL_TIME("callTime"),
    /** Time in timers. */
    TIMER_TIME("timerTime"),
    /** Time in steps of tasks. */
    STEP_TIME("stepTime"),
    /** Time in reading streams and in who is told. */
    READ_TIME("readTime"),
    /** Time in accepting connections. */
    ACCEPT_TIME("acceptTime"),
    /** Time in the ends of writes, connects and shutdowns. */
    REQUEST_TIME("requestTime"),
    /** Time in callbacks of descriptors that are ready. */
    POLL_TIME("pollTime"),
    /** Time in libuv's own watchers and in what wakes the loop. */
    WATCHER_TIME("watcherTime");

    private final String field;

    Counter(String field) {
        this.field = field;
    }

    /** The field of the event {@code uvloop4j.Loop}. */
    String field() {
        return field;
    }

    boolean isTime() {
        return this == BUSY || this == POLLED || this == OVERSLEPT || compareTo(CALL_TIME) >= 0;
    }
}
