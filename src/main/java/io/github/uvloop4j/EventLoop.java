package io.github.uvloop4j;

import io.github.uvloop4j.affinity.NumaPages;
import io.github.uvloop4j.carrier.TaskMode;
import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskBody;
import io.github.uvloop4j.concurrent.TaskDump;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.net.Network;
import io.github.uvloop4j.net.Sockets;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.work.AdaptiveWork;
import io.github.uvloop4j.work.WorkPolicy;
import io.github.uvloop4j.work.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An event loop on libuv: callbacks, futures, tasks and the network, all on one thread.
 *
 * {@snippet :
 * EventLoop.run(loop -> {
 *     try (var conn = loop.net().openConnection("127.0.0.1", 7000)) {
 *         conn.write("hello\n");
 *         System.out.println(conn.readLine());
 *     }
 * });
 * }
 *
 * <p>A loop belongs to one thread: at first the one that created it, then the one that runs it. Every method throws
 * IllegalStateException elsewhere, unless it says "Any thread.". Tasks of the loop count as its thread while they run.
 */
public final class EventLoop implements Executor, AutoCloseable {
    /** The body of {@link EventLoop#run(Main)}. */
    @FunctionalInterface
    public interface Main {
        /** Runs as a task of the loop. */
        void run(EventLoop loop) throws Exception;
    }

    private static final Runnable NOTHING = () -> {};

    private final LoopOptions options;
    private final Scheduler scheduler;
    private final Workers workers;
    private final OwnThread ownThread;
    private final LoopThreads threads;
    private int nextTask = 1;

    private EventLoop(LoopOptions options) {
        this.options = options;
        this.scheduler = new Scheduler(this, options);
        this.ownThread = new OwnThread(scheduler);
        this.workers = new Workers(scheduler, options.name(), options.executor());
        this.threads = new LoopThreads(scheduler);
        scheduler.opened();
    }

    /** A loop with the default options. Any thread. */
    public static EventLoop create() {
        return create(LoopOptions.defaults());
    }

    /**
     * A loop. Any thread.
     *
     * @throws UnsatisfiedLinkError when libuv cannot be loaded
     * @throws IllegalCallerException when the JVM refuses native access
     */
    public static EventLoop create(LoopOptions options) {
        return new EventLoop(Objects.requireNonNull(options, "options"));
    }

    /** Creates a loop, runs a task on it to its end, cancels what it left running, and closes the loop. Any thread. */
    public static void run(Main main) throws Exception {
        try (var loop = create()) {
            loop.run(() -> main.run(loop));
        }
    }

    /** The loop whose thread or task calls this. Any thread. Throws IllegalStateException when there is none. */
    public static EventLoop current() {
        if (LoopContext.current() instanceof Scheduler scheduler) {
            return scheduler.loop();
        }
        throw new IllegalStateException("not on the thread of a loop: " + Thread.currentThread());
    }

    // Life cycle

    /** Runs a body as a task until it ends; returns its result or throws what it threw. */
    public <T extends @Nullable Object> T run(Callable<T> body) throws Exception {
        return runUntil(() -> spawn("main", body));
    }

    /** Runs a body as a task until it ends; throws what it threw. */
    public void run(TaskBody body) throws Exception {
        run(body.asCallable());
    }

    /** Runs until {@link #stop}. On the calling thread, which must be a platform thread and not in synchronized. */
    public void runForever() {
        scheduler.running().run(true, NOTHING);
    }

    /** Runs until a future is done; returns its value or throws what it failed with. */
    public <T extends @Nullable Object> T runUntilComplete(LoopFuture<T> future) throws Exception {
        Objects.requireNonNull(future, "future");
        return runUntil(() -> future);
    }

    private <T extends @Nullable Object> T runUntil(Supplier<? extends LoopFuture<T>> source) throws Exception {
        var stopper = new Stopper<T>(this, source);
        try {
            scheduler.running().run(true, stopper::begin);
        } finally {
            stopper.over();
        }
        return stopper.result();
    }

    /**
     * Runs one turn without blocking, for a foreign loop that watches {@link #backendFd}. It pins nobody: whoever drives
     * the loop pins its own thread, once.
     */
    public void runOnce() {
        scheduler.running().run(false, NOTHING);
    }

    /**
     * Runs the loop on a platform thread of its own until {@link #stop} or {@link #close}. Any thread, once.
     *
     * @throws io.github.uvloop4j.affinity.AffinityException when the options require a pinning that is not possible; the
     *     loop does not run then, and may be started again
     */
    public EventLoop start() {
        ownThread.start();
        return this;
    }

    /**
     * Stops the loop at the end of a turn; what was queued before still runs. When the loop does not run, its next run
     * is a single turn. Any thread.
     */
    public void stop() {
        scheduler.running().stop();
    }

    /**
     * Closes the loop: cancels its tasks and waits for their end, lets connections that were closed send what was
     * written to them, aborts the others, closes its handles, runs what was posted. The waits end after the options'
     * closeTimeout. A second call does nothing. The loop must not be running, unless it runs on a thread of its own,
     * which is stopped first. Any thread; the loop belongs to the one that closes it.
     */
    @Override
    public void close() {
        ownThread.close();
    }

    /** Whether it runs now. Any thread. */
    public boolean isRunning() {
        return scheduler.isRunning();
    }

    /** Whether it was closed. Any thread. */
    public boolean isClosed() {
        return scheduler.uv().isClosed();
    }

    /** Whether the caller is the loop thread or a task that runs on it. Any thread. */
    public boolean inLoop() {
        return scheduler.inLoop();
    }

    /** The descriptor that becomes readable when {@link #runOnce} has something to do. */
    public int backendFd() {
        scheduler.check();
        return scheduler.uv().backendFd();
    }

    /** How long a foreign loop may wait before {@link #runOnce}, in ms; -1 without limit. */
    public int backendTimeout() {
        scheduler.check();
        return scheduler.backendTimeout();
    }

    // Scheduling

    /** Runs an action in the next turn, after what was queued before. */
    public CallHandle callSoon(Runnable action) {
        scheduler.check();
        var call = new ScheduledCall(scheduler, enclosed(action), scheduler.creation("callback"));
        scheduler.soon(call);
        return call;
    }

    /** Runs an action after a delay, never earlier. Negative is zero; more than a hundred years is a hundred years. */
    public TimerHandle callLater(Duration delay, Runnable action) {
        scheduler.check();
        var enclosed = enclosed(action);
        if (delay.isZero() || delay.isNegative()) {
            return scheduler.readyTimer(enclosed);
        }
        return scheduler.at(Durations.deadline(Durations.nanos(delay, "delay")), enclosed);
    }

    /**
     * Runs an action once {@link #time} has reached a value, never earlier. More than a hundred years off, either way,
     * is a hundred years.
     */
    public TimerHandle callAt(long nanoTime, Runnable action) {
        scheduler.check();
        return scheduler.at(nanoTime, enclosed(action));
    }

    /** The loop's clock in ns, which is {@link System#nanoTime}. Any thread. */
    public long time() {
        return System.nanoTime();
    }

    /**
     * Runs an action on the loop thread. Any thread. It either returns and the action will run, or it throws.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     */
    public void post(Runnable action) {
        scheduler.post(placed(enclosed(action)));
    }

    /** In debug mode a call that knows its place. */
    private Runnable placed(Runnable action) {
        var place = scheduler.creation("callback");
        return place == null ? action : new ScheduledCall(scheduler, action, place);
    }

    private <T extends @Nullable Object> Callable<T> enclosed(Callable<T> call) {
        return Context.enclose(scheduler.capture(), Objects.requireNonNull(call, "call"));
    }

    private Runnable enclosed(Runnable action) {
        return Context.enclose(scheduler.capture(), Objects.requireNonNull(action, "action"));
    }

    /** {@link #post} under asyncio's name. Any thread. */
    public void callSoonThreadsafe(Runnable action) {
        post(action);
    }

    /** Runs an action in the next turn, or as {@link #post} does from elsewhere. Any thread. */
    @Override
    public void execute(Runnable action) {
        var enclosed = placed(enclosed(action));
        if (scheduler.inLoop() && !isClosed()) {
            scheduler.soon(enclosed);
        } else {
            scheduler.post(enclosed);
        }
    }

    // Tasks

    /** A pending future of this loop. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> createFuture() {
        return new LoopFuture<>(scheduler);
    }

    /** Starts a task. */
    public <T extends @Nullable Object> Task<T> spawn(Callable<T> body) {
        return spawn("task-" + nextTask++, body);
    }

    /** A task with the place where it was wanted, in debug mode. */
    <T extends @Nullable Object> Task<T> spawn(Callable<T> body, @Nullable Throwable creation) {
        return scheduler.spawn("task-" + nextTask++, body, creation);
    }

    /** Starts a task without a result. */
    public Task<@Nullable Void> spawn(TaskBody body) {
        return spawn(body.asCallable());
    }

    /** Starts a task with a name, which its thread carries after the loop's. */
    public <T extends @Nullable Object> Task<T> spawn(String name, Callable<T> body) {
        return scheduler.spawn(name, Objects.requireNonNull(body, "body"));
    }

    /** Starts a task without a result, with a name. */
    public Task<@Nullable Void> spawn(String name, TaskBody body) {
        return spawn(name, body.asCallable());
    }

    /** Starts a task from anywhere; cancelling the future cancels the task. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> submit(Callable<T> body) {
        return Submissions.submit(this, scheduler, Objects.requireNonNull(body, "body"));
    }

    /** Starts a task without a result from anywhere. Any thread. */
    public LoopFuture<@Nullable Void> submit(TaskBody body) {
        return submit(body.asCallable());
    }

    /**
     * Runs a body as a task of this loop and waits for its end: blocks a thread, parks a task, be it of this loop or of
     * another. An interrupt or cancel of the caller cancels the task, whose end it does not wait for. When the loop is
     * stopped meanwhile, it waits until the loop runs again or is closed. Any thread but the bare loop thread.
     *
     * @return what the body returned
     * @throws IllegalStateException on the bare thread of a loop, where it would wait for itself, and when this loop
     *     does not run
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     * @throws java.util.concurrent.CancellationException when the task, or the calling task, was cancelled
     * @throws InterruptedException when the calling thread was interrupted
     * @throws Exception what the body threw, itself
     */
    public <T extends @Nullable Object> T call(Callable<T> body) throws Exception {
        return Calls.call(this, scheduler, body);
    }

    /** {@link #call(Callable)} without a result. Any thread but the bare loop thread. */
    public void call(TaskBody body) throws Exception {
        call(body.asCallable());
    }

    /**
     * {@link #call(Callable)} with a limit, after which the task is cancelled. The loop need not run yet. Any thread
     * but the bare loop thread.
     *
     * @throws java.util.concurrent.TimeoutException when the body has not ended within the limit
     */
    public <T extends @Nullable Object> T call(Duration limit, Callable<T> body) throws Exception {
        return Calls.call(this, scheduler, limit, body);
    }

    /** {@link #call(Duration, Callable)} without a result. Any thread but the bare loop thread. */
    public void call(Duration limit, TaskBody body) throws Exception {
        call(limit, body.asCallable());
    }

    /**
     * A new executor whose work runs on this loop, each piece as a task of its own, which may await and may block in
     * JDK calls that park. Any thread; so are its methods.
     *
     * <p>Waiting ({@code get}, {@code invokeAll}, {@code invokeAny}, {@code awaitTermination}, {@code close}) parks a
     * task, blocks a thread, and throws IllegalStateException on the bare thread of a loop. Cancelling with
     * interruption cancels the task. What {@code execute} threw goes to the loop's exception handler.
     *
     * <p>Shutting it down leaves the loop alone: no more work is taken, periodic work is cancelled, delayed work still
     * runs. {@code shutdownNow} cancels what has not commenced and returns it, and cancels the tasks that run. Closing
     * the loop does the same.
     */
    public ScheduledExecutorService executorService() {
        return scheduler.executors().create();
    }

    /**
     * A factory of threads that run on this loop, for StructuredTaskScope, {@code Executors.newThreadPerTaskExecutor}
     * and others that want one. Each is a virtual thread that is a task of the loop, so that {@link Task#current} is
     * there and awaits work; anyone may start it, on any thread. An interrupt also ends a wait in an await, with a
     * CancellationException. Closing the loop cancels it; its body runs even if that comes before its first step. What
     * it throws, unless it is a CancellationException, goes to its uncaught exception handler. Any thread.
     *
     * <p>Where tasks do not {@link #tasksRideOnLoop ride on the loop thread}, a JDK call in it that parks blocks the
     * loop. Starting a thread once the loop is closed throws RejectedExecutionException; so does making one.
     */
    public ThreadFactory threadFactory() {
        return threads;
    }

    /** The task that calls this, or null. Any thread. */
    public @Nullable Task<?> currentTask() {
        return scheduler.currentTask();
    }

    /** The tasks that have not ended, the oldest first. Any thread; some may end or come meanwhile. */
    public List<Task<?>> tasks() {
        return scheduler.tasks().live();
    }

    /** What its tasks do now, with their stacks. Any thread, also while the loop is blocked: it waits for nothing. */
    public TaskDump dumpTasks() {
        return dumpTasks(Integer.MAX_VALUE);
    }

    /**
     * What its tasks do now, with so many frames of each stack; 0 takes no stacks, for a million tasks. Any thread, also
     * while the loop is blocked.
     */
    public TaskDump dumpTasks(int frames) {
        return TaskDump.of(options.name(), scheduler.loopThread(), tasks(), frames);
    }

    /** How many tasks have not ended. Any thread. */
    public int taskCount() {
        return scheduler.tasks().count();
    }

    /** Whether tasks ride on the loop thread, so that JDK calls which park do not block the loop. Any thread. */
    public boolean tasksRideOnLoop() {
        return scheduler.tasks().mode() == TaskMode.CARRIER;
    }

    /**
     * Runs a call that may block on the executor of the options. Any thread. Cancelling interrupts it; what has not
     * begun when it is cancelled, or when the loop closes, never runs.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed, or the executor refuses
     */
    public <T extends @Nullable Object> LoopFuture<T> runInExecutor(Callable<T> call) {
        return workers.run(enclosed(call));
    }

    /** {@link #runInExecutor(Callable)} on another executor. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> runInExecutor(Executor executor, Callable<T> call) {
        return workers.run(Objects.requireNonNull(executor, "executor"), enclosed(call));
    }

    /**
     * Runs a call that computes on the JVM's pool of as many threads as there are processors, see
     * {@link io.github.uvloop4j.work.CpuPool}. Any thread. Otherwise as {@link #runInExecutor(Callable)}.
     */
    public <T extends @Nullable Object> LoopFuture<T> runOnCpu(Callable<T> call) {
        return workers.runOnCpu(enclosed(call));
    }

    /**
     * The work of a kind, whose calls run on the loop while they are short and off it when they are not. The same name
     * gives the same object. Any thread.
     *
     * @throws IllegalArgumentException when the kind has another policy already
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     */
    public AdaptiveWork adaptive(String kind, WorkPolicy policy) {
        return workers.adaptive(kind, policy);
    }

    /** Which share of the pages of its receive buffer is on a NUMA node; NaN when that cannot be told. Any thread. */
    double localPages(int node) {
        long address = scheduler.io().receiveAddress();
        return address == 0 ? Double.NaN : NumaPages.ofMapping(address).share(node);
    }

    Workers workers() {
        return workers;
    }

    /** What it has done so far. Any thread. */
    public LoopStatistics statistics() {
        return scheduler.meter().snapshot(scheduler);
    }

    // What it serves

    /** Servers and connections. Any thread may ask; see there for the rest. */
    public Network net() {
        return scheduler.io().network();
    }

    /** Raw non-blocking sockets, readers and writers. Any thread may ask; see there for the rest. */
    public Sockets sockets() {
        return scheduler.io().sockets();
    }

    /** libuv's loop, for its own kinds of handles. Any thread may ask; see there for the rest. */
    public UvLoop uv() {
        return scheduler.uv();
    }

    // Errors and debugging

    /** Sets who is told errors that no caller can receive; null is the default, which logs. Any thread. */
    public void exceptionHandler(@Nullable Consumer<ExceptionContext> handler) {
        scheduler.errors().handler(handler);
    }

    /** Who is told errors, or null for the default. Any thread. */
    public @Nullable Consumer<ExceptionContext> exceptionHandler() {
        return scheduler.errors().handler();
    }

    /** Hands an error to the exception handler. Any thread. */
    public void callExceptionHandler(ExceptionContext context) {
        scheduler.errors().handle(context);
    }

    /** What the default exception handler does: log. Any thread. */
    public static void defaultExceptionHandler(ExceptionContext context) {
        ErrorReporter.log(context);
    }

    /**
     * Sets who is told what keeps the loop from going on for {@link LoopOptions#stallLimit} or longer, while it does so;
     * null is the default, which logs. It is called on a thread of its own. Any thread.
     */
    public void stallHandler(@Nullable Consumer<Stall> handler) {
        scheduler.stallHandler(handler);
    }

    /** Whether debug mode is on. Any thread. */
    public boolean isDebug() {
        return scheduler.debug();
    }

    /**
     * Switches debug mode: places of creation, revoked buffers, and what is left when the loop is closed. It works for
     * what is made from then on. Any thread.
     */
    public void debug(boolean enable) {
        scheduler.debug(enable);
    }

    /** The options it was made with. Any thread. */
    public LoopOptions options() {
        return options;
    }

    @Override
    public String toString() {
        var state = isClosed() ? "closed" : isRunning() ? "running" : "stopped";
        return "EventLoop " + options.name() + '[' + state + ']';
    }
}
