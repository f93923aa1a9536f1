package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LookUpThreadsTest {
    private final LookUpThreads threads = new LookUpThreads(2);
    private final CountDownLatch release = new CountDownLatch(1);

    private CompletableFuture<String> hanging() {
        return threads.run(() -> {
            release.await();
            return "late";
        });
    }

    @Test
    void noMoreRunThanThereMayBeThreads() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var all = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            all.add(threads.run(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
                return number;
            }));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(all.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i);
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void whatHangsIsCountedAndWhatWaitsForItToo() throws Exception {
        var all = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < 5; i++) {
            all.add(hanging());
        }
        assertThat(threads.statistics()).isEqualTo(new ResolverStatistics(2, 3, 0, 0, 0, 0));
        release.countDown();
        for (var one : all) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("late");
        }
        Until.holds("all over", () -> threads.statistics().equals(new ResolverStatistics(0, 0, 5, 0, 0, 0)));
    }

    @Test
    void whatIsCancelledLeavesTheQueueAndNeverRuns() throws Exception {
        hanging();
        hanging();
        var ran = new AtomicInteger();
        var queued = threads.run(ran::incrementAndGet);
        assertThat(queued.cancel(true)).isTrue();
        assertThat(threads.statistics().queued()).isZero();
        release.countDown();
        Until.holds("all over", () -> threads.statistics().running() == 0);
        assertThat(ran).hasValue(0);
    }

    @Test
    void whatRunsIsCancelledAtOnceAndKeepsItsThread() {
        var running = hanging();
        assertThat(running.cancel(true)).isTrue();
        assertThat(running).isCancelled();
        assertThat(threads.statistics().running()).isEqualTo(1);
        release.countDown();
        Until.holds("it is over", () -> threads.statistics().running() == 0);
    }

    @Test
    void failuresArriveAndAreCounted() {
        var failing = threads.run(() -> {
            throw new IOException("no");
        });
        assertThatThrownBy(() -> failing.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(IOException.class);
        var fatal = threads.run(() -> {
            throw new StackOverflowError("no");
        });
        assertThatThrownBy(() -> fatal.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(threads.statistics().failed()).isEqualTo(2);
    }

    @Test
    void threadsAreDaemonsAndEndWhenThereIsNothingToDo() throws Exception {
        var thread = threads.run(Thread::currentThread).get(30, TimeUnit.SECONDS);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("uvloop4j-resolve");
        Until.holds("it ends", () -> !thread.isAlive());
    }

    @Test
    void aLookUpDoesNotInheritThePinOfWhoAsks() throws Exception {
        var initial = Affinity.current();
        var cpus = new AtomicReference<CpuSet>();
        var pinned = Thread.ofPlatform().start(() -> {
            Affinity.pin(CpuSet.of(initial.last()));
            cpus.set(threads.run(Affinity::current).join());
        });
        pinned.join();
        assertThat(cpus.get()).isEqualTo(initial);
    }

    @Test
    void thereIsAtLeastOne() {
        assertThatThrownBy(() -> Resolvers.jdk(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }
}
