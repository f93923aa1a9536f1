package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** How long the masks of the system calls are. */
class MasksTest {
    @Test
    void theMaskGrowsUntilTheKernelsFits() {
        var calls = new FakeCalls(1024, CpuSet.of(3, 8000));
        assertThat(new Masks(calls).get(0)).isEqualTo(CpuSet.of(3, 8000));
        assertThat(calls.sizes).containsExactly(128, 256, 512, 1024);
    }

    @Test
    void theSizeThatFittedIsKept() {
        var calls = new FakeCalls(1024, CpuSet.of(3));
        var masks = new Masks(calls);
        masks.get(0);
        calls.sizes.clear();
        masks.get(0);
        assertThat(calls.sizes).containsExactly(1024);
    }

    @Test
    void aKernelThatAlwaysRefusesIsGivenUp() {
        var calls = new FakeCalls(1 << 20, CpuSet.of(3));
        var masks = new Masks(calls);
        assertThatThrownBy(() -> masks.get(0))
                .isInstanceOf(Masks.Failure.class)
                .hasMessageContaining("sched_getaffinity")
                .hasMessageContaining("EINVAL");
        assertThat(calls.sizes.getLast()).isEqualTo(CpuSet.LIMIT / 8);
    }

    @Test
    void cpu1500IsSetAndReadBack() {
        var masks = new Masks(new FakeCalls(192, CpuSet.of(0)));
        masks.set(0, CpuSet.of(1500));
        assertThat(masks.get(0)).isEqualTo(CpuSet.of(1500));
    }

    @Test
    void whatIsSetIsAMultipleOfEightBytesLong() {
        var lengths = new ArrayList<Integer>();
        var masks = new Masks(new AffinityCalls() {
            @Override
            public int get(int tid, byte[] mask) {
                return 0;
            }

            @Override
            public int set(int tid, byte[] mask) {
                lengths.add(mask.length);
                return 0;
            }
        });
        masks.set(0, CpuSet.of(0));
        masks.set(0, CpuSet.of(1500));
        assertThat(lengths).containsExactly(128, 192);
    }
}
