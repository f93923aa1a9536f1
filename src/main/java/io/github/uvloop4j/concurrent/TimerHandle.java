package io.github.uvloop4j.concurrent;

/** A callback with a deadline; asyncio's {@code TimerHandle}. */
public interface TimerHandle extends CallHandle {
    /** The deadline on the clock of {@link System#nanoTime}; stays valid after firing and cancelling. Any thread. */
    long when();
}
