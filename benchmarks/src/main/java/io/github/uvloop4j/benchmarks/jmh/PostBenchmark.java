package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Actions that a thread posts to a loop of another thread: in a burst, until the last has run, and one at a time, which
 * finds the loop asleep. Needs two CPUs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class PostBenchmark {
    private static final int BURST = 1000;
    private static final int CHUNK = 1024;

    private final EventLoop loop = EventLoop.create();
    private final JctoolsLoop linked;
    private final JctoolsLoop array;
    private volatile int ran;
    private int counted;

    public PostBenchmark() {
        try {
            linked = new JctoolsLoop(new MpscLinkedQueue<>());
            array = new JctoolsLoop(new MpscUnboundedArrayQueue<>(CHUNK));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Setup
    public void start() {
        loop.start();
    }

    @TearDown
    public void close() throws InterruptedException {
        loop.close();
        linked.end();
        array.end();
    }

    /** Runs on the loop: only the last of a burst is published. */
    private void run() {
        if (--counted == 0) {
            ran++;
        }
    }

    private interface Door {
        void post(Runnable action);
    }

    private int post(int count, Door door) {
        int before = ran;
        counted = count;
        for (int i = 0; i < count; i++) {
            door.post(this::run);
        }
        while (ran == before) {
            Thread.onSpinWait();
        }
        return before;
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public int burstLoop() {
        return post(BURST, loop::post);
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public int burstMpscLinkedQueue() {
        return post(BURST, linked::post);
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public int burstMpscUnboundedArrayQueue() {
        return post(BURST, array::post);
    }

    @Benchmark
    public int oneLoop() {
        return post(1, loop::post);
    }

    @Benchmark
    public int oneMpscLinkedQueue() {
        return post(1, linked::post);
    }

    @Benchmark
    public int oneMpscUnboundedArrayQueue() {
        return post(1, array::post);
    }
}
