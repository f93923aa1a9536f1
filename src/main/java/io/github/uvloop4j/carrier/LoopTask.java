package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.Task;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A task that rides on the loop thread. It is the scheduler of its own virtual thread, so that {@link #execute} knows
 * whose continuation it gets: the JDK hands it in whenever the thread can go on.
 */
final class LoopTask<T extends @Nullable Object> extends Task<T> implements Tasks.Steps, Executor {
    private static final VarHandle QUEUED;

    static {
        try {
            QUEUED = MethodHandles.lookup().findVarHandle(LoopTask.class, "queued", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final byte FREE = 0;
    private static final byte PINNED = 1;
    private static final byte STILL_PINNED = 2;

    private final Tasks tasks;
    private final boolean ownThread;
    private final Thread thread;
    private volatile @Nullable Runnable continuation;

    /** Whoever takes it back to false runs the continuation: the loop, or the rescue carrier. */
    @SuppressWarnings("UnusedVariable") // through QUEUED
    private boolean queued;

    /** Set before an unpark, which makes it visible. */
    private byte pinned;

    LoopTask(Tasks tasks, TaskHost host, String name, Callable<T> body, @Nullable Throwable creation) {
        super(host, name, body, creation);
        this.tasks = tasks;
        this.ownThread = body instanceof ThreadBody;
        this.thread = Schedulers.builder(this).name(tasks.threadName(name)).unstarted(this::runAll);
    }

    void start() {
        thread.start();
    }

    private void runAll() {
        tasks.begins(this);
        try {
            runBody();
        } finally {
            tasks.ended(this);
        }
    }

    @Override
    public void execute(Runnable step) {
        var own = continuation;
        if (own == null) {
            continuation = step;
            if (ownThread) {
                QUEUED.setRelease(this, true);
                tasks.admit(this);
                return;
            }
        } else if (own != step) {
            // A virtual thread inherits the scheduler of the one that makes it: this step is of such a child.
            Schedulers.standard().execute(step);
            return;
        }
        QUEUED.setRelease(this, true);
        tasks.enqueue(this);
    }

    @Override
    public void run() {
        if (QUEUED.compareAndSet(this, true, false)) {
            var step = continuation;
            tasks.enter(this);
            try {
                if (step != null) {
                    step.run();
                }
            } finally {
                tasks.leave();
            }
        }
    }

    @Override
    public void runAside() {
        if (QUEUED.compareAndSet(this, true, false)) {
            var step = continuation;
            if (step != null) {
                step.run();
            }
        }
    }

    @Override
    public boolean isQueued() {
        return (boolean) QUEUED.getAcquire(this);
    }

    @Override
    protected boolean isOwnThread() {
        return ownThread;
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void abandon() {
        endAbandoned();
    }

    @Override
    public Task<?> task() {
        return this;
    }

    @Override
    public boolean isUntold() {
        return isAwaitOver() && !isQueued();
    }

    @Override
    protected void suspend() {
        LockSupport.park();
        if (pinned != FREE) {
            boolean first = pinned == PINNED;
            pinned = FREE;
            PinnedWait.end(name(), first);
        }
    }

    @Override
    public void pinned(boolean first) {
        if (PinnedWait.isAwait(thread)) {
            pinned = first ? PINNED : STILL_PINNED;
            unpark();
        } else if (first) {
            PinnedWait.tell(name(), thread);
        }
    }

    @Override
    public void unpark() {
        LockSupport.unpark(thread);
    }
}
