package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import io.github.uvloop4j.work.CpuPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class RunOnCpuTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void freeThePool() {
        release.countDown();
        Until.holds("the pool is idle", () -> CpuPool.statistics().running() == 0);
        assertThat(CpuPool.statistics().queued()).isZero();
    }

    /** Occupies every thread of the pool. */
    private ArrayList<LoopFuture<Thread>> occupy(EventLoop loop) throws InterruptedException {
        int threads = CpuPool.statistics().threads();
        var started = new CountDownLatch(threads);
        var busy = new ArrayList<LoopFuture<Thread>>();
        for (int i = 0; i < threads; i++) {
            busy.add(loop.runOnCpu(() -> {
                started.countDown();
                release.await();
                return Thread.currentThread();
            }));
        }
        started.await();
        return busy;
    }

    @Test
    @Tag("cells")
    void givesTheResultAndTheFailureItself(EventLoop loop) throws Exception {
        var failure = new IOException("broken");
        Callable<String> failing = () -> {
            throw failure;
        };
        loop.run(() -> {
            assertThat(loop.runOnCpu(() -> "x").await()).isEqualTo("x");
            assertThatThrownBy(() -> loop.runOnCpu(failing).await()).isSameAs(failure);
        });
    }

    @Test
    void runsOnDaemonPlatformThreadsNamedAfterThePool(EventLoop loop) throws Exception {
        var thread = loop.runUntilComplete(loop.runOnCpu(Thread::currentThread));
        assertThat(thread.getName()).matches("uvloop4j-cpu-\\d+");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.isVirtual()).isFalse();
    }

    @Test
    void takesNothingFromTheThreadThatAsks(EventLoop loop) throws Exception {
        var inherited = new InheritableThreadLocal<String>();
        inherited.set("mine");
        var seen = Collections.synchronizedSet(new HashSet<String>());
        for (var busy : occupyAll(loop, () -> String.valueOf(inherited.get()))) {
            seen.add(loop.runUntilComplete(busy));
        }
        assertThat(seen).containsExactly("null");
    }

    private ArrayList<LoopFuture<String>> occupyAll(EventLoop loop, Callable<String> call) throws InterruptedException {
        int threads = CpuPool.statistics().threads();
        var started = new CountDownLatch(threads);
        var all = new ArrayList<LoopFuture<String>>();
        for (int i = 0; i < threads; i++) {
            all.add(loop.runOnCpu(() -> {
                started.countDown();
                started.await();
                return call.call();
            }));
        }
        started.await();
        return all;
    }

    @Test
    void hasAsManyThreadsAsProcessorsForAllLoops(EventLoop loop) throws Exception {
        int threads = Runtime.getRuntime().availableProcessors();
        try (var other = EventLoop.create().start()) {
            var busy = occupy(loop);
            assertThat(busy).hasSize(threads);
            var mine = loop.runOnCpu(Thread::currentThread);
            var theirs = other.runOnCpu(Thread::currentThread);
            assertThat(CpuPool.statistics()).isEqualTo(new CpuPool.Statistics(threads, threads, 2));
            release.countDown();
            var seen = new HashSet<Thread>();
            for (var future : busy) {
                seen.add(loop.runUntilComplete(future));
            }
            assertThat(seen).hasSize(threads);
            assertThat(seen).contains(loop.runUntilComplete(mine), theirs.get());
        }
    }

    @Test
    void callsStartInTheirOrder(EventLoop loop) throws Exception {
        var busy = occupy(loop);
        var order = Collections.synchronizedList(new ArrayList<Integer>());
        var expected = new ArrayList<Integer>();
        var last = loop.<Integer>createFuture();
        for (int i = 0; i < 20; i++) {
            int number = i;
            expected.add(number);
            last = loop.runOnCpu(() -> {
                order.add(number);
                return number;
            });
        }
        // One thread alone goes on.
        busy.getFirst().cancel();
        loop.runUntilComplete(last);
        assertThat(order).isEqualTo(expected);
    }

    @Test
    void refusesNull(EventLoop loop) {
        assertThatThrownBy(() -> loop.runOnCpu(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("call");
    }

    @Test
    @Tag("cells")
    void cancellingInterruptsTheCall(EventLoop loop) throws Exception {
        var started = new CompletableFuture<String>();
        var ended = new CompletableFuture<String>();
        loop.run(() -> {
            var task = loop.spawn(() -> loop.runOnCpu(() -> {
                        started.complete("x");
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            ended.complete("interrupted");
                        }
                        return 1;
                    })
                    .await());
            loop.runInExecutor(started::get).await();
            task.cancel();
            assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            assertThat(loop.runInExecutor(ended::get).await()).isEqualTo("interrupted");
        });
    }

    @Test
    void aCallThatWasCancelledBeforeItsTurnDoesNotRun(EventLoop loop) throws Exception {
        occupy(loop);
        var future = loop.runOnCpu(calls::incrementAndGet);
        var next = loop.runOnCpu(() -> 1);
        assertThat(CpuPool.statistics().queued()).isEqualTo(2);
        future.cancel();
        assertThat(CpuPool.statistics().queued()).isEqualTo(1);
        release.countDown();
        loop.runUntilComplete(next);
        assertThat(calls.get()).isZero();
    }

    @Test
    void anInterruptDoesNotReachTheNextCall(EventLoop loop) throws Exception {
        var interrupted = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            var future = loop.runOnCpu(() -> {
                Thread.onSpinWait();
                return 1;
            });
            var next = loop.runOnCpu(() -> {
                if (Thread.interrupted()) {
                    interrupted.incrementAndGet();
                }
                return 1;
            });
            future.cancel();
            loop.runUntilComplete(next);
        }
        assertThat(interrupted.get()).isZero();
    }

    @Test
    @Tag("cells")
    void closingTheLoopCancelsWhatWaitsAndInterruptsWhatRuns(EventLoop loop) throws Exception {
        var busy = occupy(loop);
        var order = new ArrayList<String>();
        var waiting = loop.runOnCpu(calls::incrementAndGet);
        waiting.onDone(() -> order.add("told"));
        loop.close();
        assertThat(waiting.isCancelled()).isTrue();
        assertThat(waiting.failureOrNull()).hasMessageContaining("closed");
        assertThat(busy).allMatch(LoopFuture::isCancelled);
        assertThat(order).containsExactly("told");
        // Nobody counts the latch down: only the interrupt frees the threads.
        Until.holds("the pool is idle", () -> CpuPool.statistics().running() == 0);
        assertThat(calls.get()).isZero();
    }

    @Test
    void closingALoopLeavesTheWorkOfOthersAlone(EventLoop loop) throws Exception {
        var busy = occupy(loop);
        try (var other = EventLoop.create()) {
            other.runOnCpu(calls::incrementAndGet);
        }
        assertThat(busy).noneMatch(LoopFuture::isDone);
        release.countDown();
        for (var future : busy) {
            loop.runUntilComplete(future);
        }
        assertThat(calls.get()).isZero();
    }

    @Test
    void aClosedLoopRefuses(EventLoop loop) {
        loop.close();
        assertThatThrownBy(() -> loop.runOnCpu(() -> 1))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> loop.runInExecutor(() -> 1))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void cleanUpWhileTheLoopClosesMayStillCompute(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                loop.createFuture().await();
            } finally {
                loop.runOnCpu(calls::incrementAndGet).await();
            }
            return 1;
        });
        loop.runOnce();
        loop.close();
        assertThat(task.isCancelled()).isTrue();
        assertThat(calls.get()).isEqualTo(1);
    }

    @Test
    void callsFromManyThreadsRaceTheClose(EventLoop unused) throws Exception {
        for (int round = 0; round < 20; round++) {
            var loop = EventLoop.create().start();
            var futures = Collections.synchronizedList(new ArrayList<LoopFuture<Integer>>());
            var ready = new CountDownLatch(2);
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 2; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    ready.countDown();
                    try {
                        for (int call = 0; call < 2_000; call++) {
                            futures.add(loop.runOnCpu(() -> 1));
                        }
                    } catch (RejectedExecutionException closed) {
                        // As it must be.
                    }
                }));
            }
            ready.await();
            loop.close();
            for (var thread : threads) {
                thread.join();
            }
            for (var future : futures) {
                Until.holds("each call ends", future::isDone);
            }
        }
    }
}
