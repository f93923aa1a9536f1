package io.github.uvloop4j.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import io.github.uvloop4j.work.WorkPolicy.Place;
import io.github.uvloop4j.work.WorkPolicy.WhenFull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cancels, full queues and the end of the loop. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class AdaptiveCancelTest {
    private final CompletableFuture<String> started = new CompletableFuture<>();
    private final CompletableFuture<String> interrupted = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();

    private String blockUntilInterrupted() {
        started.complete("x");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.complete("interrupted");
        }
        return "x";
    }

    private static WorkPolicy[] offLoop() {
        return new WorkPolicy[] {WorkPolicy.offloaded(), WorkPolicy.blocking()};
    }

    private static WorkPolicy[] all() {
        return new WorkPolicy[] {WorkPolicy.inline(), WorkPolicy.offloaded(), WorkPolicy.blocking()};
    }

    @Test
    @Tag("cells")
    void aCancelledTaskInterruptsTheWorkerOfItsCall(EventLoop loop) throws Exception {
        for (var policy : offLoop()) {
            var work = loop.adaptive(policy.toString(), policy);
            var begun = new CompletableFuture<String>();
            var stopped = new CompletableFuture<String>();
            loop.run(() -> {
                var task = loop.spawn(() -> work.call(() -> {
                    begun.complete("x");
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        stopped.complete("interrupted");
                    }
                    return 1;
                }));
                loop.runInExecutor(begun::get).await();
                task.cancel();
                assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                assertThat(loop.runInExecutor(stopped::get).await()).isEqualTo("interrupted");
                assertThat(work.statistics().longestNanos()).isZero();
            });
        }
    }

    @Test
    void cancellingASubmittedCallInterruptsIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.adaptive("x", WorkPolicy.offloaded()).submit(this::blockUntilInterrupted);
            loop.runInExecutor(started::get).await();
            assertThat(future.cancel()).isTrue();
            loop.runInExecutor(interrupted::get).await();
        });
    }

    /** It arrives the same way on both sides, so that a task behaves the same wherever its work runs. */
    @Test
    @Tag("cells")
    void aPendingCancelArrivesBeforeTheCall(EventLoop loop) throws Exception {
        for (var policy : all()) {
            var work = loop.adaptive(policy.toString(), policy);
            loop.run(() -> {
                var task = loop.spawn(() -> {
                    Objects.requireNonNull(Task.current()).cancel();
                    return work.call(calls::incrementAndGet);
                });
                assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            });
        }
        assertThat(calls.get()).isZero();
    }

    @Test
    void cleanUpAfterACancelMayCall(EventLoop loop) throws Exception {
        for (var policy : all()) {
            var work = loop.adaptive(policy.toString(), policy);
            loop.run(() -> {
                var task = loop.spawn(() -> {
                    try {
                        loop.createFuture().await();
                    } finally {
                        work.call(calls::incrementAndGet);
                    }
                    return 1;
                });
                loop.callSoon(task::cancel);
                assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            });
        }
        assertThat(calls.get()).isEqualTo(3);
    }

    @Test
    void aCallThatWasCancelledInTheQueueNeitherRunsNorCounts(EventLoop loop) throws Exception {
        loop.run(() -> {
            var work = loop.adaptive("x", WorkPolicy.offloaded());
            try (var busy = new BusyPool()) {
                var future = work.submit(calls::incrementAndGet);
                var kept = work.submit(() -> 1);
                assertThat(work.statistics().queueLength()).isEqualTo(2);
                assertThat(CpuPool.statistics().queued()).isEqualTo(2);
                future.cancel();
                assertThat(work.statistics().queueLength()).isEqualTo(1);
                busy.free();
                kept.await();
            }
            assertThat(calls.get()).isZero();
            assertThat(CpuPool.statistics().queued()).isZero();
        });
    }

    private static ArrayList<LoopFuture<Integer>> fill(EventLoop loop) {
        var waiting = new ArrayList<LoopFuture<Integer>>();
        for (int i = 0; i < 3; i++) {
            waiting.add(loop.runOnCpu(() -> 1));
        }
        return waiting;
    }

    private static void finish(BusyPool busy, ArrayList<LoopFuture<Integer>> waiting) throws Exception {
        busy.free();
        for (var future : waiting) {
            future.await();
        }
    }

    @Test
    void aFullQueueRefusesWhereThePolicySaysSo(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", WorkPolicy.cpuBound().queueLimit(2).whenFull(WhenFull.REJECT));
        loop.run(() -> {
            try (var busy = new BusyPool()) {
                var waiting = fill(loop);
                assertThatThrownBy(() -> work.call(calls::incrementAndGet))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("x")
                        .hasMessageContaining("more than 2");
                assertThatThrownBy(() -> work.submit(calls::incrementAndGet))
                        .isInstanceOf(RejectedExecutionException.class);
                finish(busy, waiting);
            }
            assertThat(work.call(calls::incrementAndGet)).isEqualTo(1);
            assertThat(work.statistics().rejected()).isEqualTo(2);
            assertThat(work.statistics().callsOffloaded()).isEqualTo(1);
        });
    }

    @Test
    void aQueueAtItsLimitIsNotFull(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", WorkPolicy.cpuBound().queueLimit(3).whenFull(WhenFull.REJECT));
        loop.run(() -> {
            try (var busy = new BusyPool()) {
                var waiting = fill(loop);
                waiting.add(work.submit(calls::incrementAndGet));
                assertThatThrownBy(() -> work.submit(calls::incrementAndGet))
                        .isInstanceOf(RejectedExecutionException.class);
                finish(busy, waiting);
            }
        });
    }

    @Test
    void aFullQueueLetsAShortCallRunOnTheLoop(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", sparingly());
        loop.run(() -> {
            work.call(() -> 1);
            try (var busy = new BusyPool()) {
                var waiting = fill(loop);
                assertThat(work.call(Thread::currentThread)).isSameAs(Thread.currentThread());
                finish(busy, waiting);
            }
            assertThat(work.call(Thread::currentThread)).isNotSameAs(Thread.currentThread());
            assertThat(work.statistics().callsInline()).isEqualTo(1);
        });
    }

    /** Off the loop for a thousand calls, and short whatever a call takes. */
    private static WorkPolicy sparingly() {
        return WorkPolicy.shortCpu()
                .start(Decision.OFFLOAD)
                .offloadAbove(Duration.ofDays(1))
                .queueLimit(2)
                .minCalls(1_000);
    }

    @Test
    void aFullQueueMakesACallOfUnknownLengthWait(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", sparingly());
        loop.run(() -> {
            try (var busy = new BusyPool()) {
                var waiting = fill(loop);
                waiting.add(work.submit(() -> 1));
                assertThat(waiting.getLast().isDone()).isFalse();
                finish(busy, waiting);
            }
            assertThat(work.statistics().callsInline()).isZero();
        });
    }

    @Test
    void aFullQueueMakesAnyOtherCallWait(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", WorkPolicy.cpuBound().queueLimit(0).whenFull(WhenFull.WAIT));
        loop.run(() -> {
            try (var busy = new BusyPool()) {
                var waiting = fill(loop);
                var task = loop.spawn(() -> work.call(calls::incrementAndGet));
                Turns.next(loop);
                assertThat(task.isDone()).isFalse();
                assertThat(work.statistics().queueLength()).isEqualTo(4);
                finish(busy, waiting);
                assertThat(task.await()).isEqualTo(1);
            }
        });
    }

    @Test
    void theQueueOfAGivenExecutorIsTheKindsOwn(EventLoop unused) throws Exception {
        var kept = new ArrayList<Runnable>();
        try (var loop = EventLoop.create(LoopOptions.defaults().executor(kept::add))) {
            loop.run(() -> {
                var policy = WorkPolicy.blocking()
                        .place(Place.EXECUTOR)
                        .queueLimit(1)
                        .whenFull(WhenFull.REJECT);
                var work = loop.adaptive("x", policy);
                var first = work.submit(() -> 1);
                work.submit(() -> 2);
                assertThat(work.statistics().queueLength()).isEqualTo(2);
                assertThatThrownBy(() -> work.submit(() -> 3)).isInstanceOf(RejectedExecutionException.class);
                assertThat(loop.adaptive("y", policy).statistics().queueLength())
                        .isZero();
                kept.getFirst().run();
                assertThat(first.await()).isEqualTo(1);
                assertThat(work.statistics().queueLength()).isEqualTo(1);
            });
        }
    }

    @Test
    void anExecutorThatRefusesIsCounted(EventLoop unused) throws Exception {
        var refusal = new RejectedExecutionException("full");
        try (var loop = EventLoop.create(LoopOptions.defaults().executor(call -> {
            throw refusal;
        }))) {
            loop.run(() -> {
                var work = loop.adaptive("x", WorkPolicy.blocking());
                assertThatThrownBy(() -> work.call(() -> 1)).isSameAs(refusal);
                assertThatThrownBy(() -> work.submit(() -> 1)).isSameAs(refusal);
                assertThat(work.statistics().rejected()).isEqualTo(2);
                assertThat(work.statistics().queueLength()).isZero();
                assertThat(work.statistics().callsOffloaded()).isZero();
            });
        }
    }

    @Test
    void aClosedLoopIsNamed(EventLoop loop) {
        var works = new ArrayList<AdaptiveWork>();
        for (var policy : all()) {
            works.add(loop.adaptive(policy.toString(), policy));
        }
        loop.close();
        for (var work : works) {
            assertThatThrownBy(() -> work.submit(calls::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("closed");
        }
        assertThatThrownBy(() -> loop.adaptive("new", WorkPolicy.inline()))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed");
        assertThat(calls.get()).isZero();
    }

    @Test
    @Tag("cells")
    void closingEndsWhatATaskAwaits(EventLoop loop) throws Exception {
        var work = loop.adaptive("x", WorkPolicy.offloaded());
        Callable<String> call = this::blockUntilInterrupted;
        var task = loop.spawn(() -> work.call(call));
        loop.runUntilComplete(loop.runInExecutor(started::get));
        loop.close();
        assertThat(task.isCancelled()).isTrue();
        Until.holds("the worker was interrupted", interrupted::isDone);
    }
}
