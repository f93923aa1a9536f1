package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ThreadUsageTest {
    private static final ThreadUsage UNKNOWN = new ThreadUsage(-1, -1, -1, -1, -1);

    /** As the kernel writes it, of a thread whose name is {@code a) (b 1}. */
    private static final String STAT = "77 (a) (b 1) S 1 77 77 0 -1 4194304 1 2 3 4 150 50 7 8 20 0 1 0 99 1000 100"
            + " 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1100 0 0 0 0 0";

    @TempDir
    Path root;

    @Test
    void readsTheFilesOfTheTask() {
        new FakeMachine(root)
                .file("status", "Name:\tx\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3")
                .file("sched", "x (77, #threads: 1)\n----\nse.nr_migrations      :         5\nnr_switches : 15")
                .file("schedstat", "2500000001 44 15")
                .file("stat", STAT);

        assertThat(ThreadUsage.read(root)).isEqualTo(new ThreadUsage(12, 3, 5, 2_500_000_001L, 1100));
    }

    @Test
    void withoutTheSchedulersFilesTicksCountAndMigrationsAreUnknown() {
        new FakeMachine(root).file("stat", STAT);

        assertThat(ThreadUsage.read(root)).isEqualTo(new ThreadUsage(-1, -1, -1, 2_000_000_000L, 1100));
    }

    @Test
    void malformedFilesAreUnknown() {
        new FakeMachine(root)
                .file("status", "voluntary_ctxt_switches\nnonvoluntary_ctxt_switches: x")
                .file("sched", "se.nr_migrations_cold : 9")
                .file("schedstat", "")
                .file("stat", "77 (a) S 1");

        assertThat(ThreadUsage.read(root)).isEqualTo(UNKNOWN);
    }

    @Test
    void threadThatDoesNotExistIsUnknown() {
        assertThat(ThreadUsage.of(Integer.MAX_VALUE)).isEqualTo(UNKNOWN);
        assertThat(ThreadUsage.of(-1)).isEqualTo(UNKNOWN);
    }

    @Test
    void differencesOfWhatIsUnknownAreUnknown() {
        var earlier = new ThreadUsage(1, 2, -1, 100, 0);
        var later = new ThreadUsage(11, 2, 5, 300, 1);

        assertThat(later.since(earlier)).isEqualTo(new ThreadUsage(10, 0, -1, 200, 1));
        assertThat(UNKNOWN.since(earlier)).isEqualTo(UNKNOWN);
    }

    @Test
    void threadOfAnotherProcessIsReadLikeOneOfThis() throws IOException {
        var process = new ProcessBuilder("sleep", "30").start();
        try {
            var usage = ThreadUsage.of(process.pid(), process.pid());

            assertThat(usage.lastCpu()).isNotNegative();
            assertThat(ThreadUsage.of(process.pid(), Affinity.threadId())).isEqualTo(UNKNOWN);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void countsTheTimeAndTheWaitsOfThisThread() throws InterruptedException {
        long tid = Affinity.threadId();
        var before = ThreadUsage.of(tid);
        assumeThat(before.voluntarySwitches()).as("context switches in /proc").isNotNegative();
        assumeThat(before.cpuNanos()).as("CPU time in /proc").isNotNegative();
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long burnt = 0;
        while (burnt < 50_000_000) {
            burnt = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        }
        Thread.sleep(1);

        var used = ThreadUsage.of(tid).since(before);
        assertThat(used.cpuNanos()).isGreaterThanOrEqualTo(20_000_000);
        assertThat(used.voluntarySwitches()).isPositive();
        assertThat(CpuTopology.read().possible().contains(used.lastCpu())).isTrue();
    }
}
