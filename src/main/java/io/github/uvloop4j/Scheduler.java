package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.carrier.TaskHost;
import io.github.uvloop4j.carrier.Tasks;
import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.LoopView;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.observe.Observers;
import io.github.uvloop4j.transport.LoopIo;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.util.ReadyRing;
import io.github.uvloop4j.uv.UvAsync;
import io.github.uvloop4j.uv.UvHandle;
import io.github.uvloop4j.uv.UvLoop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop's turn. One turn moves what other threads posted and what is due into the ready queue, runs what is in it at
 * that moment, flushes the transports, and lets libuv poll: blocking only if nothing is ready.
 */
final class Scheduler implements TaskHost {
    private static final Runnable NOTHING = () -> {};

    private final EventLoop loop;
    private final LoopOptions options;
    private final long cancelGraceNanos;
    private final ScopedValue<?>[] propagated;
    private final ReadyRing ready = new ReadyRing();
    private final ErrorReporter errors = new ErrorReporter();
    private final UvLoop uv;
    private final UvLoop.Driver driver;
    private final Door door;
    private final Deadlines deadlines;
    private final Tasks tasks;
    private final LoopIo io;
    private final LoopExecutors executors = new LoopExecutors(this);
    private final TurnMeter meter;
    private final Observers observers;
    private final Set<UvHandle> ownHandles;
    private final CloseActions closeActions = new CloseActions(this);
    private final LoopFace face = new LoopFace(this);

    private volatile Thread owner = Thread.currentThread();

    private final Running running;
    private volatile boolean debug;
    private boolean closing;
    private final Progress progress = new Progress();
    private volatile @Nullable Consumer<Stall> stallHandler;

    Scheduler(EventLoop loop, LoopOptions options) {
        this.loop = loop;
        this.options = options;
        this.propagated = options.propagate().toArray(ScopedValue<?>[]::new);
        this.cancelGraceNanos = Durations.nanos(options.cancelGrace(), "cancelGrace");
        this.debug = options.debug();
        this.observers = new Observers(this, Observing.observers(options));
        this.tasks = new Tasks(this, options.name(), TaskModes.choose(options.tasks()));
        this.running = new Running(this);
        this.uv = UvLoop.create();
        this.driver = uv.drive(new UvHost());
        this.meter = new TurnMeter(options.metrics(), driver, observers);
        this.door = new Door(new UvAsync(uv, NOTHING));
        this.deadlines = new Deadlines(uv, meter);
        this.io = new LoopIo(this, uv, observers, options.resolver(), options.receiveBuffer(), options.debug());
        this.ownHandles = Set.copyOf(uv.openHandles());
        door.sleep();
    }

    /** The loop is made: others may look at it from now on. */
    void opened() {
        LoopRegistry.add(this);
        observers.loopOpened();
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
            return running.isEnding() || !ready.isEmpty() || io.needsFlush() || deadlines.needsArming();
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

    LoopExecutors executors() {
        return executors;
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

    @Override
    public @Nullable Throwable creation(String what) {
        return debug ? new Throwable(what + " created here") : null;
    }

    // Who may do what

    @Override
    public boolean inLoop() {
        var thread = Thread.currentThread();
        if (thread == owner) {
            tasks.settle();
            return true;
        }
        return tasks.isRunning(thread);
    }

    void checkThread() {
        if (!inLoop()) {
            throw new IllegalStateException("not on the loop thread of " + loop + " but on " + Thread.currentThread()
                    + ": use post, execute or submit");
        }
    }

    void check() {
        checkThread();
        if (uv.isClosed()) {
            throw new IllegalStateException(loop + " is closed");
        }
    }

    /** Once the door is closed, what parks could never be woken again. */
    private void checkSpawn() {
        check();
        if (closing) {
            throw new RejectedExecutionException(loop + " is being closed");
        }
    }

    @Override
    public @Nullable Thread loopThread() {
        return running.isTaken() ? owner : null;
    }

    @Override
    public long progress() {
        return progress.count();
    }

    @Override
    public void lend(boolean lent) {
        driver.lend(lent);
    }

    @Override
    public <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body) {
        return spawn(name, body, creation("task"));
    }

    <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body, @Nullable Throwable creation) {
        checkSpawn();
        return tasks.spawn(name, body, creation);
    }

    @Override
    public Observers observers() {
        return observers;
    }

    @Override
    public LoopView view() {
        return face;
    }

    LoopFace face() {
        return face;
    }

    @Override
    public @Nullable Task<?> currentTask() {
        return tasks.current();
    }

    // Scheduling

    @Override
    public void soon(Runnable action) {
        if (ready.isEmpty()) {
            meter.readied();
        }
        ready.add(action);
    }

    @Override
    public void post(Runnable action) {
        if (!door.post(action)) {
            throw new RejectedExecutionException(loop + " is closed");
        }
        tasks.posted();
    }

    @Override
    public TimerHandle at(long deadlineNanos, Runnable action) {
        check();
        var call =
                new DeadlineCall(this, deadlines.heap(), Durations.bounded(deadlineNanos), action, creation("timer"));
        deadlines.heap().add(call);
        return call;
    }

    TimerHandle readyTimer(Runnable action) {
        var call = new DeadlineCall(this, deadlines.heap(), System.nanoTime(), action, creation("timer"));
        ready.add(call);
        return call;
    }

    @Override
    public @Nullable Context capture() {
        return Context.capture(propagated);
    }

    @Override
    public long cancelGraceNanos() {
        return cancelGraceNanos;
    }

    // Errors

    @Override
    public boolean isFatal(Throwable error) {
        try {
            return options.fatal().test(error);
        } catch (Throwable broken) {
            errors.report("LoopOptions.fatal failed", broken, null);
            return false;
        }
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

    @Override
    public void note(String message, Throwable error) {
        LoopLog.debug(message, error);
    }

    private void failed(String message, Throwable error, @Nullable Object source) {
        try {
            if (isFatal(error)) {
                running.fail(error);
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
        int before = ready.size();
        long wokenAt = door.drainTo(ready);
        meter.posted(ready.size() - before, wokenAt);
        deadlines.expireTo(ready);
        meter.runs(ready.size());
        runReady(ready.size());
        io.flush();
        boolean idle = ready.isEmpty() && !io.needsFlush() && door.sleep();
        if (idle) {
            deadlines.arm();
        }
        boolean blocking = idle && block && !running.isEnding();
        meter.polls(blocking ? pollLimit() : 0, blocking);
        driver.run(blocking ? UvLoop.Mode.ONCE : UvLoop.Mode.NOWAIT);
        io.flush();
        meter.polled();
    }

    /** For the statistics. libuv tells none as long as it has not registered all descriptors with the kernel. */
    private int pollLimit() {
        int limit = options.metrics() ? driver.backendTimeout() : 0;
        return limit != 0 ? limit : deadlines.timeoutMillis();
    }

    private void runReady(int count) {
        if (count > 0) {
            runSome(count);
            progress.pauses();
        }
    }

    private void runSome(int count) {
        for (int i = 0; i < count; i++) {
            var action = ready.poll();
            if (action == null) {
                return;
            }
            progress.begins(action);
            meter.begins(action);
            run(action);
            tasks.settle();
            if (running.hasFailed()) {
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

    // For the watch, on its thread

    /** What the loop is at: a number that is another for each piece of work, 0 for none. */
    long workMark() {
        long now = progress.current();
        if (now != 0) {
            return now << 1;
        }
        long callback = driver.callback();
        return callback == 0 ? 0 : callback << 1 | 1;
    }

    /** What of the ready actions runs; null for a callback of an event. */
    @Nullable
    Runnable currentAction() {
        return progress.action();
    }

    /** Whose stack tells what the loop is at. */
    @Nullable
    Thread workingThread() {
        return tasks.workingThread();
    }

    void stallHandler(@Nullable Consumer<Stall> value) {
        stallHandler = value;
    }

    void stalled(Stall stall) {
        observers.stalled(stall.info());
        var handler = stallHandler;
        if (handler == null) {
            LoopLog.warn(stall.message(), stall.where());
            return;
        }
        try {
            handler.accept(stall);
        } catch (Throwable broken) {
            LoopLog.error("the handler of stalls failed", broken);
        }
    }

    /** What was told of as stalled has gone on. */
    void stallOver(Stall stall, Duration lasted) {
        observers.stallOver(stall.info(), lasted);
        if (stallHandler == null) {
            LoopLog.warn(stall.overMessage(lasted), null);
        }
    }

    /** How long a foreign loop may wait before the next turn, in ms; -1 without limit. */
    int backendTimeout() {
        if (!ready.isEmpty() || door.hasItems() || running.isEnding()) {
            return 0;
        }
        int own = deadlines.timeoutMillis();
        int theirs = uv.backendTimeout();
        return own < 0 ? theirs : theirs < 0 ? own : Math.min(own, theirs);
    }

    // Its life

    Running running() {
        return running;
    }

    TurnMeter meter() {
        return meter;
    }

    @Override
    public boolean isRunning() {
        return running.isTaken();
    }

    /** Makes a thread the loop's own, and readies its tasks for it. */
    void own(Thread thread) {
        owner = thread;
        tasks.loopStarts();
    }

    /** A foreign loop that drives this one waits on the backend descriptor: a post must wake it. */
    void rest() {
        door.sleep();
    }

    @Override
    public CallHandle onClose(Runnable action) {
        check();
        return closeActions.add(action);
    }

    CloseActions closeActions() {
        return closeActions;
    }

    /** Whether what is queued now runs in the loop's last turns, in which no task ends any more. */
    boolean isClosing() {
        return closing;
    }

    /** Whether a turn would find something to run. */
    boolean hasWork() {
        return !ready.isEmpty() || door.hasItems();
    }

    /** The last acts of a loop, in their order, once its tasks have ended or cannot. */
    void end() {
        closing = true;
        loop.workers().close();
        door.close(ready);
        executors.close();
        tasks.abandon();
        runRest();
        io.abortAll();
        door.awaitWakers();
        io.close();
        if (debug) {
            Leftovers.tellHandles(this, ownHandles);
        }
        driver.close();
        runRest();
        observers.loopClosed();
    }

    private void runRest() {
        for (int rounds = 0; !ready.isEmpty() && rounds < 1_000; rounds++) {
            runReady(ready.size());
        }
        while (ready.poll() != null) {
            // Callbacks that queue themselves again and again would go on for ever.
        }
    }

    @Override
    public String toString() {
        return loop.toString();
    }
}
