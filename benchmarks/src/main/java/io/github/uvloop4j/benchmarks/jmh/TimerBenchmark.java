package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvTimer;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A timer started and cancelled, as a timeout mostly is, with none and with a million others pending. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class TimerBenchmark {
    private static final Runnable NOTHING = () -> {};
    private static final int DELAYS = 1024;
    private static final long HOUR_MILLIS = 3_600_000;

    @Param({"0", "1000000"})
    public int pending;

    private final Duration[] delays = new Duration[DELAYS];
    private final EventLoop loop = EventLoop.create();
    private final UvLoop bare = UvLoop.create();
    private final UvTimer timer = new UvTimer(bare);
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
    private int next;

    @Setup
    public void fill() {
        executor.setRemoveOnCancelPolicy(true);
        for (int i = 0; i < DELAYS; i++) {
            delays[i] = anHourOrMore();
        }
        for (int i = 0; i < pending; i++) {
            loop.callLater(anHourOrMore(), NOTHING);
            executor.schedule(NOTHING, anHourOrMore().toMillis(), TimeUnit.MILLISECONDS);
            new UvTimer(bare).start(NOTHING, anHourOrMore().toMillis(), 0);
        }
    }

    private static Duration anHourOrMore() {
        return Duration.ofMillis(HOUR_MILLIS + ThreadLocalRandom.current().nextLong(HOUR_MILLIS));
    }

    @TearDown
    public void close() {
        executor.shutdownNow();
        bare.close();
        loop.close();
    }

    private Duration delay() {
        return delays[next++ & DELAYS - 1];
    }

    @Benchmark
    public Object callLater() {
        var handle = loop.callLater(delay(), NOTHING);
        handle.cancel();
        return handle;
    }

    @Benchmark
    public Object timerOfLibuv() {
        timer.start(NOTHING, delay().toMillis(), 0);
        timer.stop();
        return timer;
    }

    @Benchmark
    public Object scheduledExecutor() {
        var future = executor.schedule(NOTHING, delay().toMillis(), TimeUnit.MILLISECONDS);
        future.cancel(false);
        return future;
    }
}
