package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.Task;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
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

        /** Whether what it awaits has ended, but no step of it waits yet. */
        boolean isUntold();

        /** Told when it has been blocked for long where it cannot be parked; the first time for this wait, or again. */
        void pinned(boolean first);

        /** Ends its future, as the task itself never will. */
        void abandon();

        /** Runs the waiting step on a thread that is not the loop's. */
        void runAside();
    }

    private static final VarHandle STEPS_RUN;
    private static final VarHandle MADE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            STEPS_RUN = lookup.findVarHandle(Tasks.class, "stepsRun", long.class);
            MADE = lookup.findVarHandle(Tasks.class, "made", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskHost host;
    private final String prefix;
    private final TaskMode mode;
    private final Set<Steps> live = ConcurrentHashMap.newKeySet();

    /** Whose step the loop runs now. Read by other threads too, which never find themselves in it. */
    private @Nullable Steps running;

    private final Asides asides;

    private long stepsRun;

    @SuppressWarnings("UnusedVariable") // through MADE
    private long made;

    /** The loop's last turns have begun: nothing wakes a task any more. Loop thread only. */
    private boolean abandoned;

    /** The tasks of a loop with a name, which their threads carry before their own: dumps of all threads mix loops. */
    public Tasks(TaskHost host, String loopName, TaskMode mode) {
        this.host = host;
        this.prefix = loopName + '/';
        this.mode = mode;
        this.asides = new Asides(host);
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
            made(task);
            task.start();
            return task;
        }
        var task = new BatonTask<T>(this, host, name, body, creation);
        made(task);
        task.start();
        return task;
    }

    private void made(Steps steps) {
        live.add(steps);
        MADE.getAndAdd(this, 1L);
        host.observers().taskMade(steps.task());
    }

    /**
     * A task whose thread anyone may start on any thread, as that of a ThreadFactory; what the body throws goes to the
     * thread's uncaught exception handler. Any thread.
     */
    public Task<@Nullable Void> unstarted(String name, Runnable body, @Nullable Throwable creation) {
        var call = new ThreadBody(body);
        return mode == TaskMode.CARRIER
                ? new LoopTask<@Nullable Void>(this, host, name, call, creation)
                : new BatonTask<@Nullable Void>(this, host, name, call, creation);
    }

    /** Takes in a task whose thread was started from outside; fails when the loop is closed. Any thread. */
    void admit(Steps steps) {
        if (mode == TaskMode.CARRIER) {
            Rescue.arm();
        }
        made(steps);
        try {
            host.post(() -> begin(steps));
        } catch (RejectedExecutionException closed) {
            live.remove(steps);
            abandon(steps);
            throw closed;
        }
    }

    private void begin(Steps steps) {
        if (abandoned) {
            steps.task().cancel();
        }
        steps.run();
    }

    /** The tasks that have not ended, the oldest first. Any thread. */
    public List<Task<?>> live() {
        return live.stream()
                .<Task<?>>map(Steps::task)
                .sorted(Comparator.comparingLong(Task::id))
                .toList();
    }

    /** How many tasks were made. Any thread. */
    public long made() {
        return (long) MADE.getOpaque(this);
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
        var aside = asides.of(thread);
        return aside == null ? null : aside.steps().task();
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
            settle();
            return true;
        }
        if (asides.of(thread) != null) {
            settle();
            return true;
        }
        return false;
    }

    void enter(Steps steps) {
        running = steps;
        STEPS_RUN.setOpaque(this, stepsRun + 1);
    }

    void leave() {
        running = null;
        settle();
    }

    /**
     * Where the loop thread, or the task on it, stops while the rescue carrier runs a task. That task has the loop to
     * itself until it parks: the callback that was blocked may go on, but not into the loop. Called before every use of
     * the loop and after every callback.
     */
    public void settle() {
        asides.settle();
    }

    /** In the task, before its body. */
    void begins(Steps steps) {
        host.observers().taskBegins(steps.task());
    }

    /** In the task, after its body. */
    void ended(Steps steps) {
        host.observers().taskEnded(steps.task());
        live.remove(steps);
    }

    /** Queues the next step of a task. Any thread; takes no lock, and must not yield: its caller is pinned. */
    void enqueue(Steps steps) {
        if (mode == TaskMode.CARRIER) {
            Rescue.arm();
        }
        var thread = Thread.currentThread();
        var current = running;
        boolean onLoop = thread == host.loopThread() || (current != null && current.thread() == thread);
        if (onLoop && asides.top() == null) {
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

    String threadName(String task) {
        return prefix.concat(task);
    }

    /** How many steps the loop has run; changes while tasks are active. Any thread. */
    long stepsRun() {
        return (long) STEPS_RUN.getOpaque(this);
    }

    /** Something was posted: it may end what a task awaits, which needs help if the loop thread is blocked. Any thread. */
    public void posted() {
        if (mode == TaskMode.CARRIER && !Rescue.isArmed() && !live.isEmpty()) {
            Rescue.arm();
        }
    }

    /** The loop runs from now on: what was queued before may need the rescue carrier. */
    public void loopStarts() {
        if (mode == TaskMode.CARRIER && !live.isEmpty()) {
            Rescue.arm();
        }
    }

    /** Whether the loop runs and a step waits for it, or a task for its news. Any thread. */
    boolean hasWaiting() {
        if (host.loopThread() != null) {
            for (var steps : live) {
                if (steps.isQueued() || steps.isUntold()) {
                    return true;
                }
            }
        }
        return false;
    }

    Asides asides() {
        return asides;
    }

    /** Whose step the loop thread runs now, or null. Any thread. */
    @Nullable
    Steps runningSteps() {
        return running;
    }

    /** Whose stack tells what the loop is at: the task that runs, or the loop's own. Any thread. */
    public @Nullable Thread workingThread() {
        return blockedThread(null);
    }

    /** Whose stack tells where a step that runs aside is, or for null the loop. Any thread. */
    @Nullable
    Thread blockedThread(Asides.@Nullable Aside aside) {
        var steps = aside == null ? running : aside.steps();
        return steps == null ? host.loopThread() : steps.thread();
    }

    /** The tasks whose steps wait to be run. Any thread. */
    List<Steps> queued() {
        return live.stream().filter(Steps::isQueued).toList();
    }

    /** Lets the tasks go on whose wait has ended while the loop, which should tell them, is blocked. Any thread. */
    void wakeUntold() {
        for (var steps : live) {
            if (steps.isUntold()) {
                steps.task().unpark();
            }
        }
    }

    /**
     * Runs a waiting step on the calling thread while whoever has the loop is blocked (null: the loop thread); false
     * when that goes on.
     */
    boolean runAside(Steps steps, Asides.@Nullable Aside below) {
        // Announced before the look at who is blocked: if that goes on after the look, it finds the announcement.
        var aside = asides.push(steps, below);
        if (aside == null) {
            return false;
        }
        try {
            if (!asides.isBlocked(below)) {
                return false;
            }
            steps.runAside();
            return true;
        } finally {
            asides.pop(aside);
        }
    }

    /** Ends the futures of the tasks that are left: nobody may wait for them for ever. Loop thread only. */
    public void abandon() {
        abandoned = true;
        live.forEach(this::abandon);
    }

    private void abandon(Steps steps) {
        steps.abandon();
        host.observers().taskEnded(steps.task());
    }

    /** No more rescues for these tasks: their loop is closed. */
    public void close() {
        Rescue.unwatch(this);
    }
}
