package io.github.uvloop4j.carrier;

/** What the tasks of a loop ride on. */
public enum TaskMode {
    /** The loop thread. */
    CARRIER,
    /** A thread that runs only while the loop waits for it. */
    BATON
}
