package io.github.uvloop4j.work;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What a loop runs calls with that must not run on its thread; {@code EventLoop} makes and closes it. */
public final class Workers {
    private final LoopContext loop;
    private final String name;
    private final Executor standard;
    private final LongSupplier clock;
    private final AtomicInteger queue = new AtomicInteger();
    private final Set<Offloaded<?>> live = ConcurrentHashMap.newKeySet();
    private final Map<String, AdaptiveWork> kinds = new ConcurrentHashMap<>();
    private final LongAdder started = new LongAdder();
    private volatile boolean closed;

    /** The workers of a loop. Without an executor, calls that may block run on virtual threads. */
    public Workers(LoopContext loop, String name, @Nullable Executor executor) {
        this(loop, name, executor, System::nanoTime);
    }

    Workers(LoopContext loop, String name, @Nullable Executor executor, LongSupplier clock) {
        this.loop = loop;
        this.name = name;
        this.standard = executor != null ? executor : virtualThreads(name);
        this.clock = clock;
    }

    private static Executor virtualThreads(String name) {
        ThreadFactory factory = Thread.ofVirtual().name(name + "-worker-", 0).factory();
        return call -> factory.newThread(call).start();
    }

    /** Runs a call that may block on the loop's executor. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> run(Callable<T> call) {
        return run(standard, call);
    }

    /** Runs a call that may block on an executor; throws what the executor throws. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> run(Executor executor, Callable<T> call) {
        Objects.requireNonNull(executor, "executor");
        return start(executor, queue, Objects.requireNonNull(call, "call"));
    }

    /** Runs a call that computes on the JVM's {@link CpuPool}. Any thread. */
    public <T extends @Nullable Object> LoopFuture<T> runOnCpu(Callable<T> call) {
        return start(CpuPool::execute, CpuPool.queue(), Objects.requireNonNull(call, "call"));
    }

    /** The adaptive work of a kind, made when there is none. Any thread. */
    public AdaptiveWork adaptive(String kind, WorkPolicy policy) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(policy, "policy");
        checkOpen();
        var work = kinds.get(kind);
        if (work == null) {
            var fresh = new AdaptiveWork(this, kind, policy);
            var raced = kinds.putIfAbsent(kind, fresh);
            work = raced == null ? fresh : raced;
        }
        if (!work.policy().equals(policy)) {
            throw new IllegalArgumentException("work of kind " + kind + " has another policy: " + work.policy());
        }
        return work;
    }

    /** Runs a call where a kind of work runs when it is not on the loop. */
    <T extends @Nullable Object> Offloaded<T> offload(WorkPolicy.Place place, AtomicInteger waiting, Callable<T> call) {
        Executor executor = place == WorkPolicy.Place.CPU_POOL ? CpuPool::execute : standard;
        return start(executor, waiting, call);
    }

    private <T extends @Nullable Object> Offloaded<T> start(
            Executor executor, AtomicInteger waiting, Callable<T> call) {
        checkOpen();
        var offloaded = new Offloaded<T>(loop, this, waiting, call);
        live.add(offloaded);
        if (closed) {
            offloaded.refused();
            checkOpen();
        }
        try {
            executor.execute(offloaded);
        } catch (Throwable refusal) {
            offloaded.refused();
            throw refusal;
        }
        started.increment();
        return offloaded;
    }

    /** How many calls were given to executors. Any thread. */
    public long started() {
        return started.sum();
    }

    /** How many of them have not ended. Any thread. */
    public int running() {
        return live.size();
    }

    void ended(Offloaded<?> offloaded) {
        live.remove(offloaded);
    }

    LoopContext loop() {
        return loop;
    }

    long now() {
        return clock.getAsLong();
    }

    void checkOpen() {
        if (closed) {
            throw new RejectedExecutionException("loop " + name + " is closed");
        }
    }

    /**
     * Takes no more calls and cancels those that have not ended: what waits for its turn never runs, what runs is
     * interrupted. Waits for none of them. Loop thread only.
     */
    public void close() {
        closed = true;
        // Those that wait first: else a thread that an interrupt frees would begin with one of them.
        for (var offloaded : live) {
            if (offloaded.isWaiting()) {
                offloaded.cancelClosed(name);
            }
        }
        live.forEach(offloaded -> offloaded.cancelClosed(name));
    }
}
