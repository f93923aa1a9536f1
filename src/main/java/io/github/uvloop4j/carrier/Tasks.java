package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.Task;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The tasks of one loop. It holds them until they end: a task that nobody refers to goes on. */
public final class Tasks {
    /** A task as its loop drives it: a step to run when it can go on. */
    interface Steps extends Runnable {
        Thread thread();

        Task<?> task();

        /** Whether a step waits to be run. */
        boolean isQueued();

        /** Ends its future, as the task itself never will. */
        void abandon();

        /** Runs the waiting step on a thread that is not the loop's. */
        void runAside();
    }

    private final TaskHost host;
    private final TaskMode mode;
    private final Set<Steps> live = ConcurrentHashMap.newKeySet();

    /** Whose step the loop runs now. Read by other threads too, which never find themselves in it. */
    private @Nullable Steps running;

    private volatile @Nullable Steps rescued;

    /** The tasks of a loop. */
    public Tasks(TaskHost host, TaskMode mode) {
        this.host = host;
        this.mode = mode;
        if (mode == TaskMode.CARRIER) {
            Rescue.watch(this);
        }
    }

    /** What its tasks ride on. Any thread. */
    public TaskMode mode() {
        return mode;
    }

    /** Starts a task. Loop thread only. */
    public <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body, @Nullable Throwable creation) {
        if (mode == TaskMode.CARRIER) {
            var task = new LoopTask<T>(this, host, name, body, creation);
            live.add(task);
            task.start();
            return task;
        }
        var task = new BatonTask<T>(this, host, name, body, creation);
        live.add(task);
        task.start();
        return task;
    }

    /** The tasks that have not ended. Any thread. */
    public List<Task<?>> live() {
        return live.stream().<Task<?>>map(Steps::task).toList();
    }

    /** How many tasks have not ended. Any thread. */
    public int count() {
        return live.size();
    }

    /** The task that calls this, if it is one of these and may run now. Any thread. */
    public @Nullable Task<?> current() {
        var thread = Thread.currentThread();
        var steps = running;
        if (steps != null && steps.thread() == thread) {
            return steps.task();
        }
        var aside = rescued;
        return aside != null && aside.thread() == thread ? aside.task() : null;
    }

    /** The name of the task whose step runs now, or null. Loop thread only. */
    public @Nullable Task<?> runningTask() {
        var steps = running;
        return steps == null ? null : steps.task();
    }

    /** Whether a thread is that of the task that the loop runs now. Any thread, about itself. */
    public boolean isRunning(Thread thread) {
        var steps = running;
        if (steps != null && steps.thread() == thread) {
            return true;
        }
        var aside = rescued;
        return aside != null && aside.thread() == thread && comeBack(aside);
    }

    /**
     * A task that the rescue carrier runs wants to use the loop: fine while the loop thread is blocked, which may well
     * be for a lock that this task holds; else it goes back to the loop thread first.
     */
    private boolean comeBack(Steps aside) {
        while (running != aside) {
            if (loopBlocked()) {
                return true;
            }
            Thread.yield();
        }
        return true;
    }

    void enter(Steps steps) {
        running = steps;
    }

    void leave() {
        running = null;
        if (rescued != null) {
            awaitRescued();
        }
    }

    /** The loop and a rescued task must not run at the same time for longer than the callback that was blocked. */
    public void awaitRescued() {
        var steps = rescued;
        while (steps != null && rescued == steps) {
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    /** Whether the rescue carrier runs a task now. Loop thread only. */
    public boolean hasRescued() {
        return rescued != null;
    }

    void ended(Steps steps) {
        live.remove(steps);
    }

    /** Queues the next step of a task. Any thread; takes no lock, and must not yield: its caller is pinned. */
    void enqueue(Steps steps) {
        Rescue.arm();
        var thread = Thread.currentThread();
        var current = running;
        if (thread == host.loopThread() || (current != null && current.thread() == thread)) {
            host.soon(steps);
            return;
        }
        try {
            host.post(steps);
        } catch (RejectedExecutionException closed) {
            // The loop is closed, so that the task can never go on.
        }
    }

    TaskHost host() {
        return host;
    }

    /** Whether the loop thread, or the task on it, waits in Java. */
    boolean loopBlocked() {
        var steps = running;
        var thread = steps == null ? host.loopThread() : steps.thread();
        return thread != null
                && switch (thread.getState()) {
                    case BLOCKED, WAITING, TIMED_WAITING -> true;
                    default -> false;
                };
    }

    /** Runs a waiting step on the calling thread while the loop thread is blocked; null when there was none. */
    @Nullable
    Task<?> rescueOne() {
        for (var steps : live) {
            if (steps.isQueued() && steps != running) {
                rescued = steps;
                try {
                    if (!loopBlocked()) {
                        return null;
                    }
                    steps.runAside();
                    return steps.task();
                } finally {
                    rescued = null;
                }
            }
        }
        return null;
    }

    /** Ends the futures of the tasks that are left: nobody may wait for them for ever. Loop thread only. */
    public void abandon() {
        live.forEach(Steps::abandon);
    }

    /** No more rescues for these tasks: their loop is closed. */
    public void close() {
        Rescue.unwatch(this);
    }
}
