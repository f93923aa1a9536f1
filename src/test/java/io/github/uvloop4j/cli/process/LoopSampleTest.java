package io.github.uvloop4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.ThreadUsage;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class LoopSampleTest {
    private static final long SECOND = 1_000_000_000;

    private static ThreadUsage usage(long waits, long preemptions, long migrations) {
        return new ThreadUsage(waits, preemptions, migrations, 0, 0);
    }

    @Test
    void ratesAreThoseOfAllThreadsPerSecond() {
        var before = new LoopSample(Map.of(1L, usage(100, 10, 1), 2L, usage(0, 0, 0)), SECOND);
        var after = new LoopSample(Map.of(1L, usage(300, 14, 1), 2L, usage(20, 2, 4)), 3 * SECOND);

        assertThat(after.since(before)).isEqualTo(new LoopSample.Rates(2, 110, 3));
    }

    @Test
    void threadStartedBetweenCountsWhole() {
        var before = new LoopSample(Map.of(1L, usage(1, 1, 1), 3L, usage(9, 9, 9)), 0);
        var after = new LoopSample(Map.of(1L, usage(1, 1, 1), 2L, usage(5, 6, 7)), SECOND);

        assertThat(after.since(before)).isEqualTo(new LoopSample.Rates(7, 5, 6));
    }

    @Test
    void whatTheKernelDoesNotTellIsNoNumber() {
        var before = new LoopSample(Map.of(1L, usage(1, 1, -1)), 0);
        var after = new LoopSample(Map.of(1L, usage(3, 1, -1)), SECOND);

        assertThat(after.since(before)).isEqualTo(new LoopSample.Rates(Double.NaN, 2, 0));
        assertThat(LoopSample.NONE.since(LoopSample.NONE))
                .isEqualTo(new LoopSample.Rates(Double.NaN, Double.NaN, Double.NaN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"uvloop4j-loop-0", "uvloop4j-loop-9", "uvloop4..oop-10", "uvloop4..p-1000", "uvloop4j-loop"})
    void knowsLoopsByTheirNames(String name) {
        assertThat(LoopSample.isLoop(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "java", "uvloop4j-log", "uvloop4..weeper", "my-uvloop4j-loop"})
    void otherThreadsAreNoLoops(String name) {
        assertThat(LoopSample.isLoop(name)).isFalse();
    }

    @Test
    void findsTheLoopThreadsOfAProcess() throws Exception {
        var sampled = new FutureTask<>((Callable<Boolean>)
                () -> LoopSample.of(ProcessHandle.current().pid()).threads().containsKey(Affinity.threadId()));
        Thread.ofPlatform().name("uvloop4j-loop-100").start(sampled);

        assertThat(sampled.get()).isTrue();
        assertThat(LoopSample.of(ProcessHandle.current().pid()).threads()).doesNotContainKey(Affinity.threadId());
    }

    @Test
    void processThatIsNotThereHasNoLoops() {
        assertThat(LoopSample.of(Integer.MAX_VALUE).threads()).isEmpty();
    }
}
