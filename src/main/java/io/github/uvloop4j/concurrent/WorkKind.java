package io.github.uvloop4j.concurrent;

/** What a loop spends its time on. */
public enum WorkKind {
    /** Calls that were queued or posted, and callbacks of futures. */
    CALL,
    /** Timers. */
    TIMER,
    /** Steps of tasks. */
    STEP,
    /** Streams that have something to read: reading it, and who is told. */
    READ,
    /** Connections that come in. */
    ACCEPT,
    /** Requests that have ended: writes, connects, shutdowns. */
    REQUEST,
    /** Descriptors that are ready: {@code Sockets}, readers and writers. */
    POLL,
    /** libuv's own watchers, and what wakes the loop. */
    WATCHER
}
