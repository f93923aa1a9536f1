package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.sync.AsyncQueue;
import io.github.uvloop4j.sync.Lock;
import io.github.uvloop4j.sync.Semaphore;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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
 * Ways in which tasks wait for each other, beside their counterparts of the JDK: in tasks of a loop, and in virtual
 * threads on the default scheduler. Free means that nobody else wants it; with two there is a hand-over each time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class SyncBenchmark {
    private static final int ROUNDS = 10_000;

    private final EventLoop loop = EventLoop.create();
    private final Lock lock = new Lock();
    private final Semaphore semaphore = new Semaphore(1);
    private final ReentrantLock jdkLock = new ReentrantLock(true);
    private final java.util.concurrent.Semaphore jdkSemaphore = new java.util.concurrent.Semaphore(1, true);

    @TearDown
    public void close() {
        loop.close();
    }

    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public int freeLockInTask() throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                lock.acquire();
                lock.release();
            }
            return ROUNDS;
        });
    }

    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public int freeReentrantLock() throws InterruptedException {
        return inThread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                jdkLock.lock();
                jdkLock.unlock();
            }
        });
    }

    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public int freeSemaphoreInTask() throws Exception {
        return loop.run(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                semaphore.acquire();
                semaphore.release();
            }
            return ROUNDS;
        });
    }

    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public int freeSemaphore() throws InterruptedException {
        return inThread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                jdkSemaphore.acquireUninterruptibly();
                jdkSemaphore.release();
            }
        });
    }

    private static int inThread(Runnable body) throws InterruptedException {
        Thread.startVirtualThread(body).join();
        return ROUNDS;
    }

    @Benchmark
    @OperationsPerInvocation(2 * ROUNDS)
    public int queueBetweenTasks() throws Exception {
        return loop.run(() -> {
            var there = AsyncQueue.<Integer>fifo(1);
            var back = AsyncQueue.<Integer>fifo(1);
            TaskGroup.run(group -> {
                group.spawn(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        back.put(there.get());
                    }
                });
                for (int i = 0; i < ROUNDS; i++) {
                    there.put(i & 63);
                    back.get();
                }
            });
            return ROUNDS;
        });
    }

    @Benchmark
    @OperationsPerInvocation(2 * ROUNDS)
    public int queueBetweenVirtualThreads() throws InterruptedException {
        var there = new LinkedBlockingQueue<Integer>(1);
        var back = new LinkedBlockingQueue<Integer>(1);
        var threads = new ArrayList<Thread>();
        threads.add(Thread.startVirtualThread(() -> echo(there, back)));
        threads.add(Thread.startVirtualThread(() -> ask(there, back)));
        for (var thread : threads) {
            thread.join();
        }
        return ROUNDS;
    }

    private static void echo(LinkedBlockingQueue<Integer> there, LinkedBlockingQueue<Integer> back) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                back.put(there.take());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void ask(LinkedBlockingQueue<Integer> there, LinkedBlockingQueue<Integer> back) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                there.put(i & 63);
                back.take();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
