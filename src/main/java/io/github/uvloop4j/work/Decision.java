package io.github.uvloop4j.work;

/** Where calls of a kind run. */
public enum Decision {
    /** On the loop, in the task that asks. */
    INLINE,
    /** Off the loop, while the task that asks is parked. */
    OFFLOAD
}
