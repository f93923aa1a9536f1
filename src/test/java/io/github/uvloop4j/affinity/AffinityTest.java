package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that are pinned for good and for a time. All of it happens on threads of their own. */
@Tag("cells")
@Timeout(60)
class AffinityTest {
    private static final CpuSet FIRST = CpuSet.of(Affinity.initial().first());
    private static final CpuSet LAST = CpuSet.of(Affinity.initial().last());

    @Test
    void aPinnedThreadHasTheCpusThatWereAskedFor() throws Exception {
        var cpus = FreshThread.call(() -> {
            Affinity.pin(LAST);
            return Affinity.current();
        });
        assertThat(cpus).isEqualTo(LAST);
        assertThat(Affinity.current()).isEqualTo(Affinity.initial());
    }

    @Test
    void unpinGivesTheInitialCpus() throws Exception {
        var cpus = FreshThread.call(() -> {
            Affinity.pin(LAST);
            Affinity.unpin();
            return Affinity.current();
        });
        assertThat(cpus).isEqualTo(Affinity.initial());
    }

    @Test
    void scopesNestAndRestore() throws Exception {
        FreshThread.run(() -> {
            var before = Affinity.current();
            try (var _ = Affinity.pinned(FIRST)) {
                assertThat(Affinity.current()).isEqualTo(FIRST);
                try (var _ = Affinity.pinned(LAST)) {
                    assertThat(Affinity.current()).isEqualTo(LAST);
                }
                assertThat(Affinity.current()).isEqualTo(FIRST);
            }
            assertThat(Affinity.current()).isEqualTo(before);
        });
    }

    @Test
    void aScopeRestoresWhatWasPinnedForGood() throws Exception {
        FreshThread.run(() -> {
            Affinity.pin(FIRST);
            Affinity.pinned(LAST).close();
            assertThat(Affinity.current()).isEqualTo(FIRST);
        });
    }

    @Test
    void anOuterScopeClosesTheInnerOnes() throws Exception {
        FreshThread.run(() -> {
            var outer = Affinity.pinned(FIRST);
            var inner = Affinity.pinned(LAST);
            outer.close();
            assertThat(Affinity.current()).isEqualTo(Affinity.initial());
            inner.close();
            assertThat(Affinity.current()).isEqualTo(Affinity.initial());
        });
    }

    @Test
    void aSecondCloseDoesNothing() throws Exception {
        FreshThread.run(() -> {
            var scope = Affinity.pinned(FIRST);
            scope.close();
            Affinity.pin(LAST);
            scope.close();
            assertThat(Affinity.current()).isEqualTo(LAST);
        });
    }

    @Test
    void aScopeIsClosedOnItsOwnThreadOnly() throws Exception {
        FreshThread.run(() -> {
            var failure = new AtomicReference<Throwable>();
            try (var scope = Affinity.pinned(FIRST)) {
                FreshThread.run(() -> failure.set(catchThrowableOfType(IllegalStateException.class, scope::close)));
                assertThat(Affinity.current()).isEqualTo(FIRST);
            }
            assertThat(failure.get()).hasMessageContaining("closed by the thread that it pinned");
        });
    }

    @Test
    void aVirtualThreadIsNotPinned() throws Exception {
        var failure = new AtomicReference<Throwable>();
        Thread.ofVirtual()
                .start(() ->
                        failure.set(catchThrowableOfType(IllegalStateException.class, () -> Affinity.pinned(FIRST))))
                .join();
        assertThat(failure.get()).hasMessageContaining("a virtual thread has no CPUs of its own");
    }

    @Test
    void noCpuIsNotEnough() {
        assertThatThrownBy(() -> Affinity.pin(CpuSet.empty())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Affinity.pinned(CpuSet.empty())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCpuThatIsNotAllowedIsNamedWithTheOthers() throws Exception {
        var asked = CpuSet.of(FIRST.first(), 4711);
        FreshThread.run(() -> {
            var failure = catchThrowableOfType(AffinityException.class, () -> Affinity.pin(asked));
            assertThat(failure.asked()).isEqualTo(asked);
            assertThat(failure.allowed()).isEqualTo(Affinity.allowed());
            assertThat(failure.online()).isEqualTo(Affinity.online());
            assertThat(failure.dropped()).isEqualTo(CpuSet.of(4711));
            assertThat(failure)
                    .hasMessageContaining("asked: " + asked)
                    .hasMessageContaining("allowed: " + Affinity.allowed())
                    .hasMessageContaining("online: " + Affinity.online())
                    .hasMessageContaining("dropped: 4711");
            assertThat(Affinity.current()).isEqualTo(Affinity.initial());
        });
    }

    @Test
    void theCpusOfAnotherThreadAreRead() throws Exception {
        var long1 = Affinity.threadId();
        assertThat(FreshThread.call(() -> {
                    Affinity.pin(LAST);
                    return Affinity.of(long1);
                }))
                .isEqualTo(Affinity.current());
    }

    @Test
    void aThreadThatIsNotThereIsNamed() throws Exception {
        var gone = FreshThread.call(Affinity::threadId);
        assertThatThrownBy(() -> {
                    // The native thread ends after the Java one.
                    for (int i = 0; i < 1_000; i++) {
                        Affinity.of(gone);
                        Thread.sleep(1);
                    }
                })
                .isInstanceOf(AffinityException.class)
                .hasMessageContaining("thread " + gone)
                .hasMessageContaining("ESRCH");
    }

    @Test
    void threadNumbersArePositive() {
        assertThatThrownBy(() -> Affinity.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Affinity.of(1L << 40)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void allowedAndOnlineHoldTheInitialCpus() {
        assertThat(Affinity.allowed()).isEqualTo(Affinity.initial());
        assertThat(Affinity.online().containsAll(Affinity.initial())).isTrue();
    }

    @Test
    void theCallingThreadsCpusAreThoseThatTheKernelShows() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/thread-self/status")));
        FreshThread.run(() -> {
            Affinity.pin(LAST);
            assertThat(TaskStatus.ofThread(Affinity.threadId())).isEqualTo(LAST);
        });
    }
}
