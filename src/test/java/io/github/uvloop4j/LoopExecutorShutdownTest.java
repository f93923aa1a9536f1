package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.Until;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop as an executor: how it ends, by itself and with its loop. */
@Timeout(60)
class LoopExecutorShutdownTest {
    private EventLoop loop;
    private ScheduledExecutorService executor;

    @BeforeEach
    void start() {
        loop = EventLoop.create().start();
        executor = loop.executorService();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    @Tag("cells")
    void aShutDownExecutorTakesNoMoreWorkAndLeavesTheLoopAlone() throws Exception {
        var other = loop.executorService();
        executor.shutdown();
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
        assertThat(loop.submit(() -> "x").get()).isEqualTo("x");
        assertThat(other.submit(() -> "x").get()).isEqualTo("x");
        executor.shutdown();
        assertThat(executor.shutdownNow()).isEmpty();
    }

    @Test
    @Tag("cells")
    void terminationWaitsForWhatRuns() throws Exception {
        var begun = new CountDownLatch(1);
        var gate = loop.<String>createFuture();
        var future = executor.submit(() -> {
            begun.countDown();
            return gate.await();
        });
        begun.await();
        executor.shutdown();
        assertThat(executor.isTerminated()).isFalse();
        assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(executor.awaitTermination(0, TimeUnit.MILLISECONDS)).isFalse();
        gate.complete("x");
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(future.resultNow()).isEqualTo("x");
    }

    @Test
    void terminationWaitsForATaskWhoseFutureIsCancelledAlready() throws Exception {
        var begun = new CountDownLatch(1);
        var gate = loop.<String>createFuture();
        var future = executor.submit(() -> {
            begun.countDown();
            return gate.await();
        });
        begun.await();
        future.cancel(false);
        executor.shutdown();
        assertThat(executor.isTerminated()).isFalse();
        gate.complete("x");
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void awaitingTerminationInATaskParksTheTask() throws Exception {
        var gate = loop.<String>createFuture();
        executor.submit(() -> gate.await());
        executor.shutdown();
        var waiting = loop.submit(() -> executor.awaitTermination(30, TimeUnit.SECONDS));
        var second = loop.submit(() -> executor.awaitTermination(30, TimeUnit.SECONDS));
        second.cancel();
        loop.submit(() -> gate.complete("x")).get();
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void delayedWorkStillRunsAndPeriodicWorkIsCancelled() throws Exception {
        var delayed = executor.schedule(() -> "x", 20, TimeUnit.MILLISECONDS);
        var rate = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.MILLISECONDS);
        var delay = executor.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS);
        executor.shutdown();
        assertThat(rate.isCancelled()).isTrue();
        assertThat(delay.isCancelled()).isTrue();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(delayed.resultNow()).isEqualTo("x");
    }

    @Test
    @Tag("cells")
    void shutdownNowReturnsWhatNeverCommencedAndCancelsWhatRuns() throws Exception {
        var begun = new CountDownLatch(1);
        var ran = new AtomicInteger();
        var running = executor.submit(() -> {
            begun.countDown();
            return loop.createFuture().await();
        });
        begun.await();
        var delayed = executor.schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
        var rate = executor.scheduleAtFixedRate(ran::incrementAndGet, 1, 1, TimeUnit.HOURS);
        assertThat(executor.shutdownNow()).map(Object.class::cast).containsExactly(delayed, rate);
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(running.state()).isEqualTo(Future.State.CANCELLED);
        assertThat(delayed.isCancelled()).isTrue();
        assertThat(rate.isCancelled()).isTrue();
        assertThat(ran.get()).isZero();
    }

    @Test
    void shutdownNowReturnsTheCommandsThemselves() throws Exception {
        var blocked = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        loop.post(() -> {
            blocked.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        blocked.await();
        var ran = new AtomicInteger();
        Runnable command = ran::incrementAndGet;
        executor.execute(command);
        assertThat(executor.shutdownNow()).containsExactly(command);
        assertThat(executor.isTerminated()).isTrue();
        release.countDown();
        loop.submit(() -> {}).get();
        assertThat(ran.get()).isZero();
    }

    @Test
    void closeWaitsForWhatRuns() throws Exception {
        var ended = new AtomicInteger();
        try (var view = executor) {
            view.submit(() -> loop.runInExecutor(ended::incrementAndGet).await());
            view.schedule(ended::incrementAndGet, 10, TimeUnit.MILLISECONDS);
        }
        assertThat(executor.isTerminated()).isTrue();
        assertThat(ended.get()).isEqualTo(2);
    }

    @Test
    @Tag("cells")
    void closeInATaskParksTheTask() throws Exception {
        assertThat(loop.submit(() -> {
                            var view = loop.executorService();
                            var future = view.schedule(() -> "x", 10, TimeUnit.MILLISECONDS);
                            view.close();
                            return future.resultNow();
                        })
                        .get())
                .isEqualTo("x");
    }

    @Test
    void anInterruptOfCloseCancelsWhatRuns() throws Exception {
        var begun = new CountDownLatch(1);
        var job = executor.submit(() -> {
            begun.countDown();
            return loop.createFuture().await();
        });
        begun.await();
        var flag = new CompletableFuture<Boolean>();
        var closer = Thread.ofPlatform().start(() -> {
            executor.close();
            flag.complete(Thread.currentThread().isInterrupted());
        });
        Until.holds("it waits", () -> executor.isShutdown() && Until.waits(closer));
        closer.interrupt();
        assertThat(flag.get()).isTrue();
        assertThat(job.isCancelled()).isTrue();
    }

    @Test
    void aCancelOfTheTaskInCloseCancelsWhatRunsAndPassesThrough() throws Exception {
        var begun = new CountDownLatch(1);
        var job = executor.submit(() -> {
            begun.countDown();
            return loop.createFuture().await();
        });
        begun.await();
        var thrown = new CompletableFuture<Throwable>();
        var closer = loop.submit(() -> {
            try {
                executor.close();
            } catch (CancellationException e) {
                thrown.complete(e);
                throw e;
            }
        });
        Until.holds("it waits", executor::isShutdown);
        closer.cancel();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
        assertThat(executor.isTerminated()).isTrue();
        assertThat(job.isCancelled()).isTrue();
    }

    @Test
    void workThatClosesItsOwnExecutorIsToldSo() throws Exception {
        var job = executor.submit(() -> {
            try {
                executor.close();
                return "returned";
            } catch (IllegalStateException e) {
                return e.getMessage();
            }
        });
        assertThat(job.get()).contains("its own end");
    }

    // With the loop

    @Test
    @Tag("cells")
    void closingTheLoopEndsEverythingCancelled() throws Exception {
        var begun = new CountDownLatch(1);
        var running = executor.submit(() -> {
            begun.countDown();
            return loop.createFuture().await();
        });
        begun.await();
        var delayed = executor.schedule(() -> 1, 1, TimeUnit.HOURS);
        var rate = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        var waiting = new CompletableFuture<Boolean>();
        Thread.ofPlatform().start(() -> {
            try {
                waiting.complete(executor.awaitTermination(1, TimeUnit.HOURS));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });
        loop.close();
        assertThat(running.state()).isEqualTo(Future.State.CANCELLED);
        assertThat(delayed.isCancelled()).isTrue();
        assertThat(rate.isCancelled()).isTrue();
        assertThat(waiting.get()).isTrue();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void closingALoopThatNeverRanEndsEverything() {
        var resting = EventLoop.create();
        var view = resting.executorService();
        var now = view.submit(() -> 1);
        var delayed = view.schedule(() -> 1, 1, TimeUnit.HOURS);
        resting.close();
        assertThat(now.isDone()).isTrue();
        assertThat(delayed.isCancelled()).isTrue();
        assertThat(view.isTerminated()).isTrue();
    }

    private interface Ending {
        void end(ScheduledExecutorService view);
    }

    /** Two threads: one submits, one ends it. Each submit that returned has run, or was cancelled or handed back. */
    private void race(int rounds, Ending ending) throws Exception {
        var barrier = new CyclicBarrier(2);
        for (int round = 0; round < rounds; round++) {
            var view = loop.executorService();
            var ran = new AtomicInteger();
            var futures = new ArrayList<Future<Integer>>();
            var rejected = new AtomicInteger();
            var submitter = Thread.ofPlatform().start(() -> {
                try {
                    barrier.await();
                    for (int i = 0; i < 20; i++) {
                        futures.add(view.submit(ran::incrementAndGet));
                    }
                } catch (RejectedExecutionException e) {
                    rejected.incrementAndGet();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            barrier.await();
            ending.end(view);
            submitter.join();
            assertThat(view.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(futures).allMatch(Future::isDone);
            long succeeded = futures.stream()
                    .filter(future -> future.state() == Future.State.SUCCESS)
                    .count();
            assertThat(ran.get()).isEqualTo((int) succeeded);
            assertThat(rejected.get() + futures.size()).isGreaterThan(0);
        }
    }

    @Test
    void noSubmitIsLostInARaceWithShutdown() throws Exception {
        race(1_000, ScheduledExecutorService::shutdown);
    }

    @Test
    void noSubmitIsLostInARaceWithShutdownNow() throws Exception {
        race(1_000, ScheduledExecutorService::shutdownNow);
    }

    @Test
    void noSubmitIsLostInARaceWithTheLoopsClose() throws Exception {
        for (int round = 0; round < 100; round++) {
            var closing = EventLoop.create().start();
            var view = closing.executorService();
            var futures = new ArrayList<Future<Integer>>();
            var submits = new CountDownLatch(20);
            var submitter = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 2_000; i++, submits.countDown()) {
                        futures.add(i % 2 == 0 ? view.submit(() -> 1) : view.schedule(() -> 1, 1, TimeUnit.HOURS));
                    }
                } catch (RejectedExecutionException e) {
                    // So it ends.
                }
            });
            submits.await();
            closing.close();
            submitter.join();
            assertThat(view.isTerminated()).isTrue();
            assertThat(futures).allMatch(Future::isDone);
        }
    }
}
