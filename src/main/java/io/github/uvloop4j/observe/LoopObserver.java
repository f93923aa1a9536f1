package io.github.uvloop4j.observe;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens on a loop: see {@code LoopOptions.observer}. One observer may serve several loops. Its methods
 * run where things happen and hold them up: they must be short and must not block. What they throw goes to the loop's
 * exception handler and changes nothing else. On the loop thread, unless a method says otherwise.
 */
public interface LoopObserver {
    /** The loop was made. On the thread that makes it. */
    default void loopOpened(LoopContext loop) {}

    /** The loop was closed; nothing more comes of it, but for look-ups that are still under way and the end of a stall. */
    default void loopClosed(LoopContext loop) {}

    /** A task was made. On the thread of who made it: a task, a callback, or for a thread of the loop any other. */
    default void taskMade(Task<?> task) {}

    /** A task begins to run. In the task itself. */
    default void taskBegins(Task<?> task) {}

    /**
     * A task has ended, and is done. In the task itself; where it was cut short since its loop was closed, on the thread
     * that closes the loop or that wanted to start it.
     */
    default void taskEnded(Task<?> task) {}

    /** A connection was made or accepted. */
    default void connectionOpened(ConnectionLife connection) {}

    /**
     * A connection is over.
     *
     * @param cause why; null when it was closed from here or its peer ended it
     */
    default void connectionClosed(ConnectionLife connection, @Nullable Throwable cause) {}

    /** A turn kept the thread busy for 10 ms or longer. */
    default void turnWasLong(LoopContext loop, LongTurn turn) {}

    /** A poll outlasted its limit by a millisecond or more: the machine was late, or suspended. */
    default void overslept(LoopContext loop, Duration limit, Duration took) {}

    /** Something keeps the loop from going on. On the thread of the watch. */
    default void stalled(LoopContext loop, StallInfo stall) {}

    /** What kept the loop has let go of it, after so long, as far as the watch can tell. On the thread of the watch. */
    default void stallOver(LoopContext loop, StallInfo stall, Duration lasted) {}

    /** A TLS handshake is about to begin. */
    default void handshakeBegins(LoopContext loop, Handshake handshake) {}

    /**
     * A TLS handshake is over.
     *
     * @param failure why it failed, or was given up; null when it has succeeded
     */
    default void handshakeEnded(LoopContext loop, Handshake handshake, @Nullable Throwable failure) {}

    /** A host name is about to be looked up. */
    default void lookupBegins(LoopContext loop, Lookup lookup) {}

    /** A host name was looked up, or the look-up given up. On a thread of the resolver, or of who gave it up. */
    default void lookupEnded(LoopContext loop, Lookup lookup, @Nullable Throwable failure) {}
}
