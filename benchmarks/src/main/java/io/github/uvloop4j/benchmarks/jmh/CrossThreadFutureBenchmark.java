package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
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
 * Futures that another thread completes, in batches so that the hand-over of a batch counts little; the callbacks run
 * on the loop thread. Both threads spin: no kernel in between. Needs two CPUs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("unchecked") // arrays of generic types
public class CrossThreadFutureBenchmark {
    private static final int BATCH = 256;
    private static final IntConsumer STOP = index -> {};

    private final AtomicReference<@Nullable IntConsumer> request = new AtomicReference<>();
    private final Thread completer = new Thread(this::completeBatches, "completer");
    private final LoopFuture<Integer>[] ours = (LoopFuture<Integer>[]) new LoopFuture<?>[BATCH];
    private final CompletableFuture<Integer>[] theirs = (CompletableFuture<Integer>[]) new CompletableFuture<?>[BATCH];
    private final Promise<Integer>[] promises = (Promise<Integer>[]) new Promise<?>[BATCH];
    private final BareLoop loop = new BareLoop(false);
    private final Integer value = 1;
    private long sum;

    @Setup
    public void start() {
        completer.setDaemon(true);
        completer.start();
    }

    @TearDown
    public void stop() throws InterruptedException {
        request.set(STOP);
        completer.join();
    }

    private void completeBatches() {
        while (true) {
            var complete = request.getAndSet(null);
            if (complete == STOP) {
                return;
            }
            if (complete == null) {
                Thread.onSpinWait();
                continue;
            }
            for (int i = 0; i < BATCH; i++) {
                complete.accept(i);
            }
        }
    }

    private long exchange(IntConsumer complete) {
        request.set(complete);
        for (int ran = 0; ran < BATCH; ) {
            int now = loop.drain();
            ran += now;
            if (now == 0) {
                Thread.onSpinWait();
            }
        }
        return sum;
    }

    private void take(Integer result) {
        sum += result;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long loopFuture() {
        for (int i = 0; i < BATCH; i++) {
            ours[i] = new LoopFuture<Integer>(loop).whenDone((result, error) -> take(result));
        }
        return exchange(index -> ours[index].complete(value));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long completableFuture() {
        for (int i = 0; i < BATCH; i++) {
            theirs[i] = new CompletableFuture<>();
            theirs[i].whenCompleteAsync((result, error) -> take(result), loop);
        }
        return exchange(index -> theirs[index].complete(value));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long nettyPromise() {
        for (int i = 0; i < BATCH; i++) {
            promises[i] = loop.promise();
            promises[i].addListener((Future<Integer> done) -> take(done.getNow()));
        }
        return exchange(index -> promises[index].setSuccess(value));
    }
}
