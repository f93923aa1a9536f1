package io.github.uvloop4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuSampleTest {
    private static final long MILLI = 1_000_000;

    @Test
    void threadsGiveTheTotalAndTicksTheShares() {
        var before = new CpuSample(Map.of(1L, 100 * MILLI), 5, 5);
        var after = new CpuSample(Map.of(1L, 135 * MILLI, 2L, 10 * MILLI), 6, 8);

        assertThat(after.since(before)).isEqualTo(new CpuSample.Used(45 * MILLI, Math.round(45 * MILLI / 4.0)));
    }

    @Test
    void threadThatEndedIsSeenInTicks() {
        var before = new CpuSample(Map.of(1L, 0L, 2L, 500 * MILLI), 0, 50);
        var after = new CpuSample(Map.of(1L, 10 * MILLI), 0, 80);

        assertThat(after.since(before)).isEqualTo(new CpuSample.Used(300 * MILLI, 0));
    }

    @Test
    void samplesALiveProcess() throws Exception {
        var sample = CpuSample.of(ProcessHandle.current().pid());

        assertThat(sample.threadNanos()).isNotEmpty();
        assertThat(sample.since(CpuSample.ZERO).totalNanos()).isPositive();
    }

    @Test
    void refusesAProcessThatIsNotThere() {
        assertThatIOException().isThrownBy(() -> CpuSample.of(Integer.MAX_VALUE));
    }
}
