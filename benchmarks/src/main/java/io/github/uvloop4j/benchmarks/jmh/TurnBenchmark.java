package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.uv.UvIdle;
import io.github.uvloop4j.uv.UvLoop;
import java.util.concurrent.TimeUnit;
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
 * Turns of the loop. A full turn runs one callback, which asks for the next; libuv's own iteration, polling included,
 * is the part that no loop above it can avoid. With many callbacks a turn, what a callback costs is left.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class TurnBenchmark {
    private static final int TURNS = 1000;
    private static final int CALLS = 1000;

    private final EventLoop loop = EventLoop.create();
    private final UvLoop bare = UvLoop.create();
    private int left;
    private long sum;

    @Setup
    public void startIdle() {
        new UvIdle(bare).start(() -> sum++);
    }

    @TearDown
    public void close() {
        loop.close();
        bare.close();
    }

    private void nextTurn() {
        if (--left > 0) {
            loop.callSoon(this::nextTurn);
        } else {
            loop.stop();
        }
    }

    @Benchmark
    @OperationsPerInvocation(TURNS)
    public int turnWithOneCallback() {
        left = TURNS;
        loop.callSoon(this::nextTurn);
        loop.runForever();
        return left;
    }

    @Benchmark
    @OperationsPerInvocation(TURNS)
    public long iterationOfLibuvWithOneIdleCallback() {
        for (int i = 0; i < TURNS; i++) {
            bare.run(UvLoop.Mode.NOWAIT);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long callSoon() {
        for (int i = 0; i < CALLS; i++) {
            loop.callSoon(() -> sum++);
        }
        loop.runOnce();
        return sum;
    }
}
