package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pinning that must be possible, and pinning that need not be. */
@Timeout(60)
class PinningTest {
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final CpuSet LAST = CpuSet.of(Affinity.initial().last());

    private final List<String> said = new ArrayList<>();

    private static FakeCalls refusing(int errno) {
        var calls = new FakeCalls(128, CpuSet.range(0, 3));
        calls.refusal = errno;
        return calls;
    }

    @Test
    void noneLeavesTheThreadAsItIs() throws Exception {
        FreshThread.run(() -> {
            try (var _ = Pinning.NONE.enter()) {
                assertThat(Affinity.current()).isEqualTo(Affinity.initial());
            }
        });
        assertThat(Pinning.to(CpuSet.empty())).isEqualTo(Pinning.NONE);
    }

    @Test
    void aScopePinsAndRestores() throws Exception {
        FreshThread.run(() -> {
            try (var _ = Pinning.to(LAST).enter(said::add)) {
                assertThat(Affinity.current()).isEqualTo(LAST);
            }
            assertThat(Affinity.current()).isEqualTo(Affinity.initial());
        });
        assertThat(said).isEmpty();
    }

    @Test
    void aRequiredOneFailsWithTheReason() {
        var binder = FakeWatch.binder(refusing(EPERM));
        assertThatThrownBy(() -> Pinning.to(CpuSet.of(2)).enter(binder, said::add))
                .isInstanceOf(AffinityException.class)
                .hasMessageContaining("EPERM")
                .hasMessageContaining("asked: 2")
                .hasMessageContaining("allowed: 0-3");
        assertThat(said).isEmpty();
    }

    @Test
    void aRequiredOneNamesWhatIsNotAllowed() {
        var failure = catchThrowableOfType(
                AffinityException.class,
                () -> Pinning.to(CpuSet.of(2, 70)).enter(FakeWatch.binder(refusing(0)), said::add));
        assertThat(failure.dropped()).isEqualTo(CpuSet.of(70));
    }

    @Test
    void anOptionalOneSaysOnceThatItIsImpossibleAndGoesOn() {
        for (int errno : new int[] {EPERM, ENOSYS}) {
            var calls = refusing(errno);
            var binder = FakeWatch.binder(calls);
            for (int i = 0; i < 3; i++) {
                Pinning.to(CpuSet.of(3)).optional().enter(binder, said::add).close();
            }
        }
        assertThat(said).hasSize(2);
        assertThat(said.getFirst()).contains("unpinned", "EPERM");
        assertThat(said.getLast()).contains("unpinned", "ENOSYS");
    }

    @Test
    void whereNothingCanBeReadAnOptionalOneGoesOnToo() {
        var binder = FakeWatch.binder(new AffinityCalls() {
            @Override
            public int get(int tid, byte[] mask) {
                return -ENOSYS;
            }

            @Override
            public int set(int tid, byte[] mask) {
                return -ENOSYS;
            }
        });
        Pinning.to(CpuSet.of(0)).optional().enter(binder, said::add).close();
        assertThat(said).hasSize(1);
        assertThatThrownBy(() -> Pinning.to(CpuSet.of(0)).enter(binder, said::add))
                .isInstanceOf(AffinityException.class)
                .hasMessageContaining("ENOSYS");
    }

    @Test
    void anOptionalOneTakesWhatIsAllowed() {
        var calls = refusing(0);
        var binder = FakeWatch.binder(calls);
        for (int i = 0; i < 3; i++) {
            try (var _ = Pinning.to(CpuSet.of(1, 71)).optional().enter(binder, said::add)) {
                assertThat(binder.current()).isEqualTo(CpuSet.of(1));
            }
            assertThat(binder.current()).isEqualTo(CpuSet.range(0, 3));
        }
        assertThat(said).hasSize(1);
        assertThat(said.getFirst()).contains("71", "0-3");
    }

    @Test
    void anOptionalOneOfWhichNothingIsAllowedGoesOnUnpinned() {
        var binder = FakeWatch.binder(refusing(0));
        try (var _ = Pinning.to(CpuSet.of(72)).optional().enter(binder, said::add)) {
            assertThat(binder.current()).isEqualTo(CpuSet.range(0, 3));
        }
        assertThat(said).hasSize(1);
        assertThat(said.getFirst()).contains("72", "unpinned");
    }

    @Test
    void aKernelWithRoomForManyCpusPinsToThem() {
        var binder = FakeWatch.binder(new FakeCalls(1024, CpuSet.of(0, 1500, 8000)));
        try (var _ = Pinning.to(CpuSet.of(1500)).enter(binder, said::add)) {
            assertThat(binder.current()).isEqualTo(CpuSet.of(1500));
        }
    }
}
