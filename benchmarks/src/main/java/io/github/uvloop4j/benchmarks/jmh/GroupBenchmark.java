package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.concurrent.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

/**
 * Ten children that are started, end at once and are waited for: in a group, through {@code Combine.gather}, and by
 * {@code invokeAll} on an executor with a virtual thread for each. And a time limit that is never over, on a value that
 * is there.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class GroupBenchmark {
    private static final int CHILDREN = 10;
    private static final int GROUPS = 100;
    private static final int LIMITS = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final EventLoop loop = EventLoop.create();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @TearDown
    public void close() {
        threads.close();
        loop.close();
    }

    @Benchmark
    @OperationsPerInvocation(CHILDREN * GROUPS)
    public int childOfGroup() throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < GROUPS; i++) {
                TaskGroup.run(group -> {
                    for (int k = 0; k < CHILDREN; k++) {
                        group.spawn(() -> 1);
                    }
                });
            }
            return GROUPS;
        });
    }

    @Benchmark
    @OperationsPerInvocation(CHILDREN * GROUPS)
    public int gatheredTask() throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < GROUPS; i++) {
                var tasks = new ArrayList<LoopFuture<Integer>>();
                for (int k = 0; k < CHILDREN; k++) {
                    tasks.add(loop.spawn(() -> 1));
                }
                Combine.gather(tasks).await();
            }
            return GROUPS;
        });
    }

    @Benchmark
    @OperationsPerInvocation(CHILDREN * GROUPS)
    public int invokeAllInVirtualThreads() throws Exception {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int k = 0; k < CHILDREN; k++) {
            calls.add(() -> 1);
        }
        return threads.submit(() -> {
                    for (int i = 0; i < GROUPS; i++) {
                        threads.invokeAll(calls);
                    }
                    return GROUPS;
                })
                .get();
    }

    @Benchmark
    @OperationsPerInvocation(LIMITS)
    public int timeout() throws Exception {
        return loop.run(() -> {
            int sum = 0;
            for (int i = 0; i < LIMITS; i++) {
                var future = loop.<Integer>createFuture();
                future.complete(1);
                sum += Timeout.waitFor(future, LIMIT);
            }
            return sum;
        });
    }

    @Benchmark
    @OperationsPerInvocation(LIMITS)
    public int orTimeout() {
        int sum = 0;
        for (int i = 0; i < LIMITS; i++) {
            var future = new CompletableFuture<Integer>().orTimeout(60, TimeUnit.SECONDS);
            future.complete(1);
            sum += future.join();
        }
        return sum;
    }
}
