package io.github.uvloop4j.uv;

/** What libuv calls back for. */
public enum UvEvent {
    /** A stream, or a socket of datagrams, has something to read. */
    READ,
    /** A connection came in. */
    CONNECTION,
    /** A request has ended. */
    REQUEST,
    /** A descriptor is ready. */
    POLL,
    /** A timer, an async handle, or a hook of the loop. */
    WATCHER
}
