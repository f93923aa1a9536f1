package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.work.AdaptiveWork;
import io.github.uvloop4j.work.WorkPolicy;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A call of about 200 ns, one after the other: by a task directly, through adaptive work that keeps it on the loop or
 * hands it to a worker, and with {@code CompletableFuture.supplyAsync} and {@code join} on the common pool.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class WorkBenchmark {
    private static final int CALLS = 1000;
    private static final long TOKENS = 90;

    private final EventLoop loop = EventLoop.create();
    /** Stays on the loop on a busy machine too, where a call seems long whose thread was preempted. */
    private final AdaptiveWork inline =
            loop.adaptive("inline", WorkPolicy.shortCpu().offloadAbove(Duration.ofDays(1)));

    private final AdaptiveWork onCpuPool = loop.adaptive("pool", WorkPolicy.offloaded());
    private final AdaptiveWork onVirtualThreads = loop.adaptive("virtual", WorkPolicy.blocking());
    private int sum;

    @TearDown
    public void close() {
        loop.close();
    }

    private Integer work() {
        Blackhole.consumeCPU(TOKENS);
        return 1;
    }

    private int inTask(Callable<Integer> call) throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < CALLS; i++) {
                sum += call.call();
            }
            return sum;
        });
    }

    private int inTask(AdaptiveWork kind) throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < CALLS; i++) {
                sum += kind.call(this::work);
            }
            return sum;
        });
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int direct() throws Exception {
        return inTask(this::work);
    }

    /** What measuring alone costs: the clock, read twice. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long directWithTwoClockReads() throws Exception {
        return loop.run(() -> {
            long nanos = 0;
            for (int i = 0; i < CALLS; i++) {
                long start = System.nanoTime();
                sum += work();
                nanos += System.nanoTime() - start;
            }
            return nanos + sum;
        });
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int adaptiveInline() throws Exception {
        return inTask(inline);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int adaptiveOnCpuPool() throws Exception {
        return inTask(onCpuPool);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int adaptiveOnVirtualThreads() throws Exception {
        return inTask(onVirtualThreads);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int supplyAsyncAndJoin() {
        for (int i = 0; i < CALLS; i++) {
            sum += CompletableFuture.supplyAsync(this::work).join();
        }
        return sum;
    }
}
