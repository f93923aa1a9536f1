package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.Task;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A task on an ordinary virtual thread that runs only while the loop thread waits for it. It gives the baton back at
 * the loop's own awaits; a JDK call that parks keeps it, and so blocks the loop.
 */
final class BatonTask<T extends @Nullable Object> extends Task<T> implements Tasks.Steps {
    private static final int RUNNING = 0;
    private static final int PERMIT = 1;
    private static final int PARKED = 2;
    private static final int QUEUED = 3;

    private final Tasks tasks;
    private final @Nullable ThreadBody own;
    private final Thread thread;
    private final AtomicInteger state = new AtomicInteger(QUEUED);
    private boolean started;
    private volatile boolean baton;

    BatonTask(Tasks tasks, TaskHost host, String name, Callable<T> body, @Nullable Throwable creation) {
        super(host, name, body, creation);
        this.tasks = tasks;
        this.own = body instanceof ThreadBody ofThread ? ofThread : null;
        this.started = own != null;
        this.thread = Thread.ofVirtual().name(tasks.threadName(name)).unstarted(this::runAll);
    }

    void start() {
        tasks.enqueue(this);
    }

    private void runAll() {
        if (own != null && !join(own)) {
            return;
        }
        tasks.begins(this);
        try {
            runBody();
        } finally {
            tasks.ended(this);
            giveBack();
        }
    }

    /** Somebody has started the thread: from here on it waits for the loop. */
    private boolean join(ThreadBody body) {
        try {
            tasks.admit(this);
        } catch (RejectedExecutionException closed) {
            // Nobody must wait for ever for what the body was to do.
            Thread.currentThread().interrupt();
            body.callAlone();
            return false;
        }
        awaitBaton();
        return true;
    }

    private void giveBack() {
        baton = false;
        LockSupport.unpark(tasks.host().loopThread());
    }

    @Override
    public void run() {
        if (!state.compareAndSet(QUEUED, RUNNING)) {
            return;
        }
        tasks.enter(this);
        baton = true;
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
        boolean interrupted = false;
        while (baton) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        tasks.leave();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void suspend() {
        if (state.compareAndSet(PERMIT, RUNNING) || !state.compareAndSet(RUNNING, PARKED)) {
            state.compareAndSet(PERMIT, RUNNING);
            return;
        }
        giveBack();
        awaitBaton();
    }

    private void awaitBaton() {
        boolean interrupted = false;
        while (!baton) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                interrupted = true;
                if (own != null) {
                    unpark();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void unpark() {
        while (true) {
            int seen = state.get();
            if (seen == PERMIT || seen == QUEUED) {
                return;
            }
            if (state.compareAndSet(seen, seen == RUNNING ? PERMIT : QUEUED)) {
                if (seen == PARKED) {
                    tasks.enqueue(this);
                }
                return;
            }
        }
    }

    @Override
    public boolean isQueued() {
        return state.get() == QUEUED;
    }

    @Override
    public boolean isUntold() {
        return false;
    }

    @Override
    public void pinned(boolean first) {
        throw new UnsupportedOperationException("a baton is given back everywhere");
    }

    @Override
    public void runAside() {
        throw new UnsupportedOperationException("a baton is handed on by the loop thread only");
    }

    @Override
    protected boolean isOwnThread() {
        return own != null;
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
}
