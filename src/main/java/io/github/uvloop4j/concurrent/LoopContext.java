package io.github.uvloop4j.concurrent;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What futures, tasks and transports need of their loop. {@code EventLoop} implements it. */
public interface LoopContext {
    /** Whether the caller is the loop thread or a task that the loop is running now. Any thread. */
    boolean inLoop();

    /** Whether it runs now. Any thread. */
    boolean isRunning();

    /** Runs an action in the next turn. Loop thread only. */
    void soon(Runnable action);

    /**
     * Runs an action on the loop thread. Any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     */
    void post(Runnable action);

    /** Runs an action once {@link System#nanoTime} has reached a deadline, never before. Loop thread only. */
    TimerHandle at(long deadlineNanos, Runnable action);

    /**
     * Starts a task. Loop thread only.
     *
     * @throws IllegalStateException when the loop is closed
     * @throws java.util.concurrent.RejectedExecutionException when it is being closed
     */
    <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body);

    /** The task that is running on this loop now and calls this, or null. Any thread. */
    @Nullable
    Task<?> currentTask();

    /** What surrounds the caller, for what it hands to this loop; null when there is nothing to keep. Any thread. */
    @Nullable
    Context capture();

    /** How long a cancelled task may take to end before it is cancelled again, in ns; 0 for ever. Any thread. */
    long cancelGraceNanos();

    /**
     * Runs an action when this loop is closed, after its tasks have ended and before its connections are aborted. Loop
     * thread only.
     */
    CallHandle onClose(Runnable action);

    /**
     * The caller's place, for what it makes, as an exception whose message says what that is; null unless the loop runs
     * in debug mode. Any thread.
     */
    default @Nullable Throwable creation(String what) {
        return null;
    }

    /** Hands an error that no caller can receive to the loop's exception handler. Any thread. */
    void report(String message, Throwable error, @Nullable Object source);

    /** Logs, at level DEBUG, what is ordinary but may help to find a fault. Any thread. */
    default void note(String message, Throwable error) {}

    /** Whether an error must stop the loop and leave {@code run}, as its options say. Any thread. */
    boolean isFatal(Throwable error);

    /** What those may ask who look on. Any thread. */
    LoopView view();

    /** The open loop whose thread or task the caller is, or null. Any thread. */
    static @Nullable LoopContext current() {
        return LoopRegistry.current();
    }
}
