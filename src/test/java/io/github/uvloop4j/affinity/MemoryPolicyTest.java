package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.Arena;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MemoryPolicyTest {
    private static void needPolicies() {
        assumeThat(MemoryPolicy.isAvailable()).as("set_mempolicy").isTrue();
    }

    private static int nodeWithMemory() {
        return NumaPages.ofProcess().bytes().keySet().stream().findFirst().orElse(0);
    }

    @Test
    void preferredNodeIsThatOfTheThreadOnly() throws Exception {
        needPolicies();
        int node = nodeWithMemory();
        var task = new FutureTask<>(() -> {
            MemoryPolicy.prefer(node);
            var preferred = MemoryPolicy.preferred();
            MemoryPolicy.reset();
            assertThat(MemoryPolicy.preferred()).isEmpty();
            return preferred;
        });
        Thread.ofPlatform().start(task);

        assertThat(task.get()).hasValue(node);
        assertThat(MemoryPolicy.preferred()).isEmpty();
    }

    @Test
    void memoryTouchedThenLiesThere() throws Exception {
        needPolicies();
        int node = nodeWithMemory();
        var task = new FutureTask<>(() -> {
            MemoryPolicy.prefer(node);
            try (var arena = Arena.ofConfined()) {
                return NumaPages.ofMapping(
                                arena.allocate(8 << 20).fill((byte) 1).address())
                        .share(node);
            }
        });
        Thread.ofPlatform().start(task);

        assumeThat(NumaPages.ofProcess().total()).as("memory in numa_maps").isPositive();
        assertThat(task.get()).isGreaterThan(0.5);
    }

    @Test
    void nodeThatIsNotThereIsRefused() {
        needPolicies();
        for (int node : new int[] {-1, 63, 64, 1023, 4095, 4096, Integer.MAX_VALUE}) {
            if (!CpuTopology.read().nodes().containsKey(node)) {
                assertThatThrownBy(() -> MemoryPolicy.prefer(node))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("node " + node);
            }
        }
        assertThat(MemoryPolicy.preferred()).isEmpty();
    }

    @Test
    void virtualThreadHasNone() throws InterruptedException {
        var thrown = new Throwable[1];
        Thread.ofVirtual()
                .start(() -> thrown[0] = catchThrowable(() -> MemoryPolicy.prefer(0)))
                .join();

        assertThat(thrown[0]).isInstanceOf(IllegalStateException.class).hasMessageContaining("virtual thread");
    }

    @Test
    void askingForItChangesNothing() {
        var before = MemoryPolicy.preferred();
        boolean available = MemoryPolicy.isAvailable();

        assertThat(MemoryPolicy.isAvailable()).isEqualTo(available);
        assertThat(MemoryPolicy.preferred()).isEqualTo(before);
    }
}
