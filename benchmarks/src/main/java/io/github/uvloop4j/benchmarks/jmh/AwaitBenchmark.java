package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * Pairs of tasks that wait for each other in turn: on a loop with {@code await}, and in virtual threads on the default
 * scheduler with {@code CompletableFuture.join}. A future is made, completed and awaited for each operation.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class AwaitBenchmark {
    private static final int PAIRS = 64;
    private static final int ROUNDS = 100;
    private static final int AWAITS = PAIRS * ROUNDS * 2;

    private final EventLoop loop = EventLoop.create();

    @TearDown
    public void close() {
        loop.close();
    }

    private final class LoopPair {
        private LoopFuture<Boolean> ping = loop.createFuture();
        private LoopFuture<Boolean> pong = loop.createFuture();

        @Nullable
        Void first() throws Exception {
            for (int i = 0; i < ROUNDS; i++) {
                var reply = pong;
                ping.complete(true);
                reply.await();
                pong = loop.createFuture();
            }
            return null;
        }

        @Nullable
        Void second() throws Exception {
            for (int i = 0; i < ROUNDS; i++) {
                ping.await();
                ping = loop.createFuture();
                pong.complete(true);
            }
            return null;
        }
    }

    private static final class ThreadPair {
        private CompletableFuture<Boolean> ping = new CompletableFuture<>();
        private CompletableFuture<Boolean> pong = new CompletableFuture<>();

        void first() {
            for (int i = 0; i < ROUNDS; i++) {
                var reply = pong;
                ping.complete(true);
                reply.join();
                pong = new CompletableFuture<>();
            }
        }

        void second() {
            for (int i = 0; i < ROUNDS; i++) {
                ping.join();
                ping = new CompletableFuture<>();
                pong.complete(true);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(AWAITS)
    public int awaitInTask() throws Exception {
        return loop.run(() -> {
            var tasks = new ArrayList<LoopFuture<?>>();
            for (int i = 0; i < PAIRS; i++) {
                var pair = new LoopPair();
                tasks.add(loop.spawn(pair::first));
                tasks.add(loop.spawn(pair::second));
            }
            for (var task : tasks) {
                task.await();
            }
            return tasks.size();
        });
    }

    @Benchmark
    @OperationsPerInvocation(AWAITS)
    public int joinInVirtualThread() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < PAIRS; i++) {
            var pair = new ThreadPair();
            threads.add(Thread.startVirtualThread(pair::first));
            threads.add(Thread.startVirtualThread(pair::second));
        }
        for (var thread : threads) {
            thread.join();
        }
        return threads.size();
    }
}
