package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.testing.Until;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has a pinned thread's CPUs without having been pinned gets the initial ones. */
@Timeout(120)
class SweeperTest {
    private final CpuSet initial = Affinity.initial();
    private final CpuSet last = CpuSet.of(initial.last());

    @BeforeEach
    void two() {
        assumeTrue(initial.size() > 1, "needs two CPUs");
    }

    /** A thread that lives until it is told to end. */
    private static final class Idle implements AutoCloseable {
        private final CountDownLatch end = new CountDownLatch(1);
        private final CountDownLatch running = new CountDownLatch(1);
        private final AtomicLong tid = new AtomicLong();
        private final Thread thread;

        Idle(FreshThread.Body first) throws InterruptedException {
            thread = Thread.ofPlatform().start(() -> {
                try {
                    first.run();
                    tid.set(Affinity.threadId());
                    running.countDown();
                    end.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            running.await();
        }

        CpuSet cpus() {
            return Affinity.of(tid.get());
        }

        @Override
        public void close() {
            end.countDown();
            Until.holds("the thread has ended", () -> !thread.isAlive());
        }
    }

    @Test
    void aThreadThatAPinnedOneStartsIsReleased() throws Exception {
        var started = new AtomicReference<Idle>();
        try (var pinned = new Idle(() -> {
            Affinity.pin(last);
            started.set(new Idle(() -> {}));
        })) {
            try (var idle = started.get()) {
                Until.holds("the thread has the initial CPUs", () -> idle.cpus().equals(initial));
                assertThat(pinned.cpus()).isEqualTo(last);
            }
        }
    }

    @Test
    void whatAShortScopeStartedIsReleasedAfterIt() throws Exception {
        var started = new AtomicReference<Idle>();
        FreshThread.run(() -> {
            try (var _ = Affinity.pinned(last)) {
                started.set(new Idle(() -> {}));
            }
        });
        try (var idle = started.get()) {
            Until.holds("the thread has the initial CPUs", () -> idle.cpus().equals(initial));
        }
    }

    @Test
    void aThreadThatAPinnedOneStartedAndThatPinsItselfStaysPinned() throws Exception {
        var started = new AtomicReference<Idle>();
        var other = new AtomicReference<Idle>();
        try (var pinned = new Idle(() -> {
            Affinity.pin(last);
            started.set(new Idle(() -> Affinity.pin(last)));
            other.set(new Idle(() -> {}));
        })) {
            try (var itself = started.get();
                    var idle = other.get()) {
                Until.holds("a sweep is over", () -> idle.cpus().equals(initial));
                assertThat(itself.cpus()).isEqualTo(last);
                assertThat(pinned.cpus()).isEqualTo(last);
            }
        }
    }

    @Test
    void whoPinnedItselfToAnotherSetByOtherMeansIsLeftAlone() throws Exception {
        var first = CpuSet.of(initial.first());
        var other = new AtomicReference<Idle>();
        try (var byOtherMeans = new Idle(() -> Affinity.binder().masks().set(0, first));
                var pinned = new Idle(() -> {
                    Affinity.pin(last);
                    other.set(new Idle(() -> {}));
                })) {
            try (var idle = other.get()) {
                Until.holds("a sweep is over", () -> idle.cpus().equals(initial));
                assertThat(byOtherMeans.cpus()).isEqualTo(first);
                assertThat(pinned.cpus()).isEqualTo(last);
            }
        }
    }

    @Test
    void aThreadThatEndsWhilePinnedIsForgotten() throws Exception {
        long tid = FreshThread.call(() -> {
            Affinity.pin(last);
            return Affinity.threadId();
        });
        Until.holds(
                "nothing is known of it",
                () -> !Affinity.binder().pins().view().threads().contains((int) tid));
    }

    @Test
    void unpinnedBodiesRunWithTheInitialCpus() throws Exception {
        var cpus = new AtomicReference<CpuSet>();
        FreshThread.run(() -> {
            Affinity.pin(last);
            var helper = Thread.ofPlatform().start(Unpinned.unpinned(() -> cpus.set(Affinity.current())));
            helper.join();
        });
        assertThat(cpus.get()).isEqualTo(initial);
    }

    @Test
    void theProcessorsAreThoseOfAnUnpinnedThread() throws Exception {
        int processors = Affinity.availableProcessors();
        assertThat(FreshThread.call(() -> {
                    Affinity.pin(last);
                    return Affinity.availableProcessors();
                }))
                .isEqualTo(processors)
                .isEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
