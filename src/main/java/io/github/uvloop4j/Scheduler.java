package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.carrier.Schedulers;
import io.github.uvloop4j.carrier.TaskHost;
import io.github.uvloop4j.carrier.TaskMode;
import io.github.uvloop4j.carrier.Tasks;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.Throwables;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.transport.LoopIo;
import io.github.uvloop4j.util.DeadlineHeap;
import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import io.github.uvloop4j.uv.UvAsync;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvTimer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The loop's turn. One turn moves what other threads posted and what is due into the ready queue, runs what is in it at
 * that moment, flushes the transports, and lets libuv poll: blocking only if nothing is ready.
 */
final class Scheduler implements TaskHost {
    private static final Duration HUNDRED_YEARS = Duration.ofDays(36_500);
    private static final Runnable NOTHING = () -> {};
    private static final VarHandle PROGRESS;

    static {
        try {
            PROGRESS = MethodHandles.lookup().findVarHandle(Scheduler.class, "progress", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EventLoop loop;
    private final LoopOptions options;
    private final ReadyRing ready = new ReadyRing();
    private final MpscQueue inbox = new MpscQueue();
    private final DeadlineHeap deadlines = new DeadlineHeap();
    private final AtomicLong wakesDone = new AtomicLong();
    private final ErrorReporter errors = new ErrorReporter();
    private final UvLoop uv;
    private final UvLoop.Driver driver;
    private final UvAsync wake;
    private final UvTimer timer;
    private final Tasks tasks;
    private final LoopIo io;

    private volatile Thread owner = Thread.currentThread();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean debug;
    private boolean closing;
    private boolean stopping;
    private boolean slept;
    private long wakesTaken;
    private boolean armed;
    private long armedFor;
    private long progress;
    private @Nullable Throwable fatalError;

    Scheduler(EventLoop loop, LoopOptions options) {
        this.loop = loop;
        this.options = options;
        this.debug = options.debug();
        this.tasks = new Tasks(this, mode(options.tasks()));
        this.uv = UvLoop.create();
        this.driver = uv.drive(new UvHost());
        this.wake = new UvAsync(uv, NOTHING);
        this.timer = new UvTimer(uv);
        this.io = new LoopIo(this, uv, options.receiveBuffer(), options.debug());
        LoopRegistry.add(this);
    }

    private static TaskMode mode(LoopOptions.Tasks wanted) {
        if (wanted == LoopOptions.Tasks.BATON) {
            return TaskMode.BATON;
        }
        if (Schedulers.available()) {
            return TaskMode.CARRIER;
        }
        if (wanted == LoopOptions.Tasks.CARRIER) {
            throw new IllegalStateException("tasks cannot ride on the loop thread: " + Schedulers.reason());
        }
        BatonNotice.once();
        return TaskMode.BATON;
    }

    private static final class BatonNotice {
        static {
            LoopLog.info("tasks run on the baton, which is slower: " + Schedulers.reason());
        }

        private BatonNotice() {}

        static void once() {
            // Loading the class does it.
        }
    }

    private final class UvHost implements UvLoop.Host {
        @Override
        public boolean inLoop() {
            return Scheduler.this.inLoop();
        }

        @Override
        public void callbackFailed(Throwable thrown) {
            failed("a callback failed", thrown, null);
        }

        @Override
        public boolean hasWork() {
            var first = deadlines.first();
            return !ready.isEmpty() || io.needsFlush() || first != null && (!armed || armedFor - first.deadline() > 0);
        }
    }

    EventLoop loop() {
        return loop;
    }

    UvLoop uv() {
        return uv;
    }

    LoopIo io() {
        return io;
    }

    Tasks tasks() {
        return tasks;
    }

    ErrorReporter errors() {
        return errors;
    }

    boolean debug() {
        return debug;
    }

    void debug(boolean value) {
        debug = value;
        io.debug(value);
    }

    @Nullable
    Throwable creation(String what) {
        return debug ? new Throwable(what + " created here") : null;
    }

    // Who may do what

    @Override
    public boolean inLoop() {
        var thread = Thread.currentThread();
        return thread == owner || tasks.isRunning(thread);
    }

    void check() {
        if (!inLoop()) {
            throw new IllegalStateException("not on the loop thread of " + loop + " but on " + Thread.currentThread()
                    + ": use post, execute or submit");
        }
        if (uv.isClosed()) {
            throw new IllegalStateException(loop + " is closed");
        }
    }

    /** Throws on a wrong thread, but not because the loop is closed: for what is harmless then. */
    void checkThread() {
        if (!inLoop() && !uv.isClosed()) {
            check();
        }
    }

    @Override
    public @Nullable Thread loopThread() {
        return running.get() ? owner : null;
    }

    @Override
    public long progress() {
        return (long) PROGRESS.getOpaque(this);
    }

    @Override
    public @Nullable Task<?> currentTask() {
        return tasks.current();
    }

    // Scheduling

    @Override
    public void soon(Runnable action) {
        ready.add(action);
    }

    @Override
    public void post(Runnable action) {
        switch (inbox.offer(action)) {
            case CLOSED -> throw new RejectedExecutionException(loop + " is closed");
            case WAKE -> {
                try {
                    wake.send();
                } finally {
                    wakesDone.incrementAndGet();
                }
            }
            case QUEUED -> {}
        }
    }

    @Override
    public TimerHandle at(long deadlineNanos, Runnable action) {
        check();
        var handle = new DeadlineCall(this, deadlines, deadlineNanos, action, creation("timer"));
        deadlines.add(handle);
        return handle;
    }

    /** A deadline from a delay: negative is now, and the far future a hundred years off. */
    static long deadline(Duration delay) {
        if (delay.isNegative()) {
            return System.nanoTime();
        }
        var bounded = delay.compareTo(HUNDRED_YEARS) > 0 ? HUNDRED_YEARS : delay;
        return System.nanoTime() + bounded.toNanos();
    }

    TimerHandle readyTimer(Runnable action) {
        var handle = new DeadlineCall(this, deadlines, System.nanoTime(), action, creation("timer"));
        ready.add(handle);
        return handle;
    }

    // Errors

    @Override
    public boolean isFatal(Throwable error) {
        return options.fatal().test(error);
    }

    @Override
    public void report(String message, Throwable error, @Nullable Object source) {
        if (inLoop()) {
            failed(message, error, source);
            return;
        }
        try {
            post(() -> failed(message, error, source));
        } catch (RejectedExecutionException closed) {
            errors.report(message, error, source);
        }
    }

    private void failed(String message, Throwable error, @Nullable Object source) {
        try {
            if (isFatal(error)) {
                if (fatalError == null) {
                    fatalError = error;
                }
                stopping = true;
            } else {
                errors.report(message, error, source);
            }
        } catch (Throwable broken) {
            // The user's predicate or toString: neither may end the loop.
            LoopLog.error("reporting failed: " + message, error);
            LoopLog.error("it failed with this", broken);
        }
    }

    // The turn

    void turn(boolean block) {
        if (inbox.drainTo(ready, slept)) {
            wakesTaken++;
        }
        slept = false;
        if (deadlines.size() > 0) {
            expire();
        }
        runReady(ready.size());
        io.flush();
        boolean idle = ready.isEmpty();
        slept = idle && inbox.sleep();
        boolean mayBlock = block && slept && !stopping;
        if (slept) {
            arm();
        }
        driver.run(mayBlock ? UvLoop.Mode.ONCE : UvLoop.Mode.NOWAIT);
        io.flush();
    }

    private void expire() {
        long now = System.nanoTime();
        for (var due = deadlines.pollDue(now); due != null; due = deadlines.pollDue(now)) {
            ready.add((DeadlineCall) due);
        }
    }

    private void runReady(int count) {
        for (int i = 0; i < count; i++) {
            var action = ready.poll();
            if (action == null) {
                return;
            }
            PROGRESS.setOpaque(this, progress + 1);
            if (debug) {
                SlowCallbacks.run(this, action, options.slowCallback());
            } else {
                run(action);
            }
            if (tasks.hasRescued()) {
                tasks.awaitRescued();
            }
            if (fatalError != null) {
                return;
            }
        }
    }

    void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable error) {
            failed("a callback failed", error, action);
        }
    }

    private void arm() {
        var first = deadlines.first();
        if (first == null) {
            if (armed) {
                timer.stop();
                armed = false;
            }
            return;
        }
        if (armed && armedFor == first.deadline() && timer.isActive()) {
            return;
        }
        armed = true;
        armedFor = first.deadline();
        uv.updateTime();
        timer.start(this::timeIsUp, delayMillis(), 0);
    }

    /** Before 1.45, libuv runs timers ahead of the poll too, which would then block with no timer left to end it. */
    private void timeIsUp() {
        uv.stop();
    }

    private long delayMillis() {
        long nanos = armedFor - System.nanoTime();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** How long a foreign loop may wait before the next turn, in ms; -1 without limit. */
    int backendTimeout() {
        if (!ready.isEmpty() || inbox.hasItems() || stopping) {
            return 0;
        }
        var first = deadlines.first();
        int own = -1;
        if (first != null) {
            long nanos = Math.max(0, first.deadline() - System.nanoTime());
            own = (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
        }
        int theirs = uv.backendTimeout();
        return own < 0 ? theirs : theirs < 0 ? own : Math.min(own, theirs);
    }

    // Running

    /** From now on the loop belongs to a thread that will run it. */
    void handOver(Thread thread) {
        owner = thread;
    }

    void run(boolean forever) {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(
                    "a loop runs on a platform thread: it would pin the virtual thread's carrier" + " for good");
        }
        if (RunningHere.LOOP.get() != null) {
            throw new IllegalStateException("another loop is running in this thread: " + RunningHere.LOOP.get());
        }
        if (!running.compareAndSet(false, true)) {
            throw new IllegalStateException(loop + " is running already");
        }
        if (uv.isClosed()) {
            running.set(false);
            throw new IllegalStateException(loop + " is closed");
        }
        owner = Thread.currentThread();
        RunningHere.LOOP.set(loop);
        try {
            do {
                turn(forever);
            } while (forever && !stopping);
        } finally {
            if (!slept) {
                // A foreign loop that drives this one waits on the backend descriptor: a post must wake it.
                slept = inbox.sleep();
            }
            RunningHere.LOOP.remove();
            stopping = false;
            running.set(false);
        }
        rethrowFatal();
    }

    private static final class RunningHere {
        static final ThreadLocal<@Nullable EventLoop> LOOP = new ThreadLocal<>();

        private RunningHere() {}
    }

    private void rethrowFatal() {
        var error = fatalError;
        if (error != null) {
            fatalError = null;
            Throwables.<RuntimeException>sneak(error);
        }
    }

    boolean isRunning() {
        return running.get();
    }

    /** Whether what is queued now runs in the loop's last turns, in which no task ends any more. */
    boolean isClosing() {
        return closing;
    }

    void stopNow() {
        stopping = true;
    }

    // Closing

    void close() {
        if (uv.isClosed()) {
            return;
        }
        if (!running.compareAndSet(false, true)) {
            throw new IllegalStateException(loop + " is running: stop it first");
        }
        if (uv.isClosed()) {
            running.set(false);
            return;
        }
        owner = Thread.currentThread();
        try {
            stopping = true;
            endTasks();
            closing = true;
            for (int rounds = 0; rounds == 0 || !io.isEmpty() && rounds < 10; rounds++) {
                io.abortAll();
                drain();
            }
            if (inbox.close(ready, slept)) {
                wakesTaken++;
            }
            slept = false;
            runRest();
            io.abortAll();
            while (wakesDone.get() != wakesTaken) {
                // The last waker is between queueing and waking: the handle must outlive its call.
                Thread.onSpinWait();
            }
            io.close();
            driver.close();
            runRest();
        } finally {
            stopping = false;
            running.set(false);
            tasks.close();
            LoopRegistry.remove(this);
        }
        rethrowFatal();
    }

    private void endTasks() {
        for (var task : tasks.live()) {
            task.cancel();
        }
        long deadline = System.nanoTime() + options.closeTimeout().toNanos();
        while (tasks.count() > 0 && System.nanoTime() - deadline < 0) {
            stopping = false;
            at(Math.min(deadline, System.nanoTime() + 50_000_000), NOTHING);
            turn(true);
        }
        for (var task : tasks.live()) {
            var where = new Throwable("it is here");
            where.setStackTrace(task.thread().getStackTrace());
            errors.report("task " + task.name() + " did not end before its loop was closed", where, task);
        }
    }

    /** Turns that do not block, until nothing is ready: close callbacks and the last words of protocols. */
    private void drain() {
        int rounds = 0;
        do {
            turn(false);
        } while ((!ready.isEmpty() || inbox.hasItems()) && ++rounds < 1_000);
    }

    private void runRest() {
        for (int rounds = 0; !ready.isEmpty() && rounds < 1_000; rounds++) {
            runReady(ready.size());
        }
    }
}
