package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process was started with is what it may use. */
@Timeout(120)
class ProcessAffinityTest {
    private final CpuSet initial = Affinity.initial();

    @Test
    void theInitialCpusAreRightWhenTheFirstUseIsOnAPinnedThread() throws Exception {
        assumeTrue(initial.size() > 1, "needs two CPUs");
        var result = new ChildJvm().run(FirstUseMain.class, String.valueOf(initial.last()));
        assertThat(result.output().lines())
                .containsExactly("current " + initial.last(), "initial " + initial, "allowed " + initial);
    }

    @Test
    void tasksetIsRespected() throws Exception {
        assumeTrue(initial.size() > 1, "needs two CPUs");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/taskset")) || Files.isExecutable(Path.of("/bin/taskset")),
                "needs taskset");
        int last = initial.last();
        int other = initial.first();
        var result = new ChildJvm()
                .prefix("taskset", "-c", String.valueOf(last))
                .run(TasksetMain.class, String.valueOf(other));
        assertThat(result.output().lines())
                .containsExactly(
                        "initial " + last, "allowed " + last, "processors 1", "pinned " + last, "dropped " + other);
    }
}
