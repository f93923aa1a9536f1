package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Futures on the loop thread: created, watched, completed, and the callbacks run. The
 * others are there twice: as they are, running callbacks where they are completed, and through the loop's queue, which
 * is what LoopFuture promises.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class FutureBenchmark {
    private static final int LINKS = 5;

    private final BareLoop loop = new BareLoop(false);
    private final BareLoop queueing = new BareLoop(true);
    private final Integer value = 1;
    private long sum;

    private void take(Integer result) {
        sum += result;
    }

    private Integer next(Integer result) {
        return result;
    }

    @Benchmark
    public long oneCallbackLoopFuture() {
        var future = new LoopFuture<Integer>(loop);
        future.whenDone((result, error) -> take(result));
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long oneCallbackCompletableFuture() {
        var future = new CompletableFuture<Integer>();
        future.whenComplete((result, error) -> take(result));
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long oneCallbackCompletableFutureOnLoop() {
        var future = new CompletableFuture<Integer>();
        future.whenCompleteAsync((result, error) -> take(result), loop);
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long oneCallbackNettyPromise() {
        return oneCallbackNettyPromise(loop);
    }

    @Benchmark
    public long oneCallbackNettyPromiseOnLoop() {
        return oneCallbackNettyPromise(queueing);
    }

    private long oneCallbackNettyPromise(BareLoop target) {
        Promise<Integer> promise = target.promise();
        promise.addListener((Future<Integer> done) -> take(done.getNow()));
        promise.setSuccess(value);
        target.drain();
        return sum;
    }

    @Benchmark
    public long chainOfFiveLoopFuture() {
        var future = new LoopFuture<Integer>(loop);
        future.map(this::next).map(this::next).map(this::next).map(this::next).then(this::take);
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long chainOfFiveCompletableFuture() {
        var future = new CompletableFuture<Integer>();
        future.thenApply(this::next)
                .thenApply(this::next)
                .thenApply(this::next)
                .thenApply(this::next)
                .thenAccept(this::take);
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long chainOfFiveCompletableFutureOnLoop() {
        var future = new CompletableFuture<Integer>();
        future.thenApplyAsync(this::next, loop)
                .thenApplyAsync(this::next, loop)
                .thenApplyAsync(this::next, loop)
                .thenApplyAsync(this::next, loop)
                .thenAcceptAsync(this::take, loop);
        future.complete(value);
        loop.drain();
        return sum;
    }

    @Benchmark
    public long chainOfFiveNettyPromise() {
        return chainOfFiveNettyPromise(loop);
    }

    @Benchmark
    public long chainOfFiveNettyPromiseOnLoop() {
        return chainOfFiveNettyPromise(queueing);
    }

    private long chainOfFiveNettyPromise(BareLoop target) {
        Promise<Integer> promise = target.promise();
        var last = promise;
        for (int i = 1; i < LINKS; i++) {
            last = link(target, last);
        }
        last.addListener((Future<Integer> done) -> take(done.getNow()));
        promise.setSuccess(value);
        target.drain();
        return sum;
    }

    private Promise<Integer> link(BareLoop target, Promise<Integer> source) {
        Promise<Integer> next = target.promise();
        source.addListener((Future<Integer> done) -> {
            if (done.isSuccess()) {
                next.setSuccess(next(done.getNow()));
            } else {
                next.setFailure(done.cause());
            }
        });
        return next;
    }
}
