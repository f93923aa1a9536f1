package io.github.uvloop4j.guard;

/** What a guard does about a blocking call. Where guards overlap, each counts it, and the strictest decides. */
public enum GuardMode {
    /** Throws {@link BlockingCallError} at the call, which is not made. */
    RAISE,

    /** Logs a warning with the stack: once for each place, and again after ten seconds at the earliest. */
    LOG,

    /** Only counts. */
    COUNT
}
