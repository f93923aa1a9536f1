package io.github.uvloop4j.cli.observe;

import java.util.Locale;

/** The kinds of work, by the time spent on them. */
public enum WorkTime {
    /** Calls that were queued or posted, and callbacks of futures. */
    CALLS(Counter.CALL_TIME, "calls"),
    /** Timers. */
    TIMERS(Counter.TIMER_TIME, "timers"),
    /** Steps of tasks. */
    STEPS(Counter.STEP_TIME, "steps of tasks"),
    /** Streams. */
    READS(Counter.READ_TIME, "reading"),
    /** New connections. */
    ACCEPTS(Counter.ACCEPT_TIME, "accepting"),
    /** Writes, connects and shutdowns that have ended. */
    REQUESTS(Counter.REQUEST_TIME, "ends of writes and connects"),
    /** Descriptors. */
    DESCRIPTORS(Counter.POLL_TIME, "ready descriptors"),
    /** libuv's watchers. */
    WATCHERS(Counter.WATCHER_TIME, "watchers and wake-ups");

    private final Counter counter;
    private final String label;

    WorkTime(Counter counter, String label) {
        this.counter = counter;
        this.label = label;
    }

    /** Where its time is counted. */
    public Counter counter() {
        return counter;
    }

    /** For people. */
    public String label() {
        return label;
    }

    /** For JSON. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
