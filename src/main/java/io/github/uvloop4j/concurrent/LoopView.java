package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/** A loop, for those who look on. Any thread. */
public interface LoopView {
    /** Its name. */
    String name();

    /** Its number, unique in this JVM; a later loop has a greater one. */
    long id();

    /** Whether it runs now. */
    boolean isRunning();

    /** The thread that runs it now, or null. */
    @Nullable
    Thread thread();

    /** The kernel's number of the thread that runs it now, or 0. */
    long threadId();

    /** Whether tasks ride on the loop thread, so that JDK calls which park do not block the loop. */
    boolean tasksRideOnLoop();

    /** What it has done so far. */
    LoopStatistics statistics();
}
