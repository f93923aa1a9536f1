package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop as an executor: delayed and periodic work. */
@Timeout(60)
class LoopExecutorScheduleTest {
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
    void delayedWorkRunsOnceAndNeverEarly() throws Exception {
        long before = System.nanoTime();
        var at = executor.schedule(System::nanoTime, 20, TimeUnit.MILLISECONDS).get();
        assertThat(at - before).isGreaterThanOrEqualTo(20_000_000);
        var ran = new AtomicInteger();
        var future = executor.schedule((Runnable) ran::incrementAndGet, 1, TimeUnit.MILLISECONDS);
        assertThat(future.get()).isNull();
        assertThat(ran.get()).isEqualTo(1);
    }

    @Test
    void withoutADelayItRunsAtOnce() throws Exception {
        assertThat(executor.schedule(() -> "x", 0, TimeUnit.DAYS).get()).isEqualTo("x");
        assertThat(executor.schedule(() -> "x", Long.MIN_VALUE, TimeUnit.DAYS).get())
                .isEqualTo("x");
    }

    @Test
    void delayedWorkRunsInTheOrderOfItsDeadlines() throws Exception {
        var order = new LinkedBlockingQueue<Integer>();
        var futures = new ArrayList<Delayed>();
        var number = new AtomicInteger();
        for (long delay : new long[] {30, 1, 15, 5, 0, 7}) {
            int own = number.getAndIncrement();
            futures.add(executor.schedule(() -> order.add(own), delay * 1_000_000 + 1, TimeUnit.NANOSECONDS));
        }
        var expected = new ArrayList<>(futures);
        Collections.sort(expected);
        for (var future : expected) {
            assertThat(futures.get(order.take())).isSameAs(future);
        }
    }

    @Test
    void theFarFutureIsNoOverflow() {
        var future = executor.schedule(() -> "x", Long.MAX_VALUE, TimeUnit.DAYS);
        assertThat(future.isDone()).isFalse();
        assertThat(future.getDelay(TimeUnit.DAYS)).isGreaterThan(36_000);
        var rate = executor.scheduleAtFixedRate(() -> {}, Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.DAYS);
        assertThat(rate.isDone()).isFalse();
        rate.cancel(false);
        future.cancel(false);
    }

    @Test
    void aHugePeriodIsNoOverflowEither() throws Exception {
        var runs = new LinkedBlockingQueue<Integer>();
        var rate = executor.scheduleAtFixedRate(() -> runs.add(1), 0, Long.MAX_VALUE, TimeUnit.DAYS);
        var delay = executor.scheduleWithFixedDelay(() -> runs.add(2), 0, Long.MAX_VALUE, TimeUnit.DAYS);
        assertThat(runs.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(runs.poll(30, TimeUnit.SECONDS)).isNotNull();
        executor.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
        assertThat(runs).isEmpty();
        assertThat(rate.getDelay(TimeUnit.DAYS)).isGreaterThan(36_000);
        assertThat(delay.getDelay(TimeUnit.DAYS)).isGreaterThan(36_000);
    }

    @Test
    void delaysTellWhatIsLeftAndOrderTheFutures() {
        var late = executor.schedule(() -> 1, 2, TimeUnit.HOURS);
        var soon = executor.schedule(() -> 1, 1, TimeUnit.HOURS);
        var never = executor.schedule(() -> 1, Long.MAX_VALUE, TimeUnit.DAYS);
        assertThat(soon.getDelay(TimeUnit.MINUTES)).isBetween(58L, 60L);
        assertThat(soon.compareTo(late)).isNegative();
        assertThat(late.compareTo(soon)).isPositive();
        assertThat(soon.compareTo(soon)).isZero();
        assertThat(soon.compareTo(never)).isNegative();
        var all = new ArrayList<Delayed>(List.of(never, late, soon));
        Collections.sort(all);
        assertThat(all).containsExactly(soon, late, never);
        assertThat(new DelayQueue<>(all).peek()).isSameAs(soon);
        Delayed foreign = new Delayed() {
            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(90, TimeUnit.MINUTES);
            }

            @Override
            public int compareTo(Delayed other) {
                return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
            }
        };
        assertThat(soon.compareTo(foreign)).isNegative();
        assertThat(late.compareTo(foreign)).isPositive();
    }

    @Test
    void cancelledDelayedWorkDoesNotHoldUpTheEnd() throws Exception {
        var futures = new ArrayList<Future<?>>();
        for (int i = 0; i < 10_000; i++) {
            futures.add(executor.schedule(() -> 1, 1, TimeUnit.HOURS));
        }
        futures.forEach(future -> future.cancel(false));
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(futures).allMatch(Future::isCancelled);
    }

    @Test
    @Tag("cells")
    void aFixedRateRunsAgainAndAgainUntilItIsCancelled() throws Exception {
        var runs = new LinkedBlockingQueue<Long>();
        long begin = System.nanoTime();
        var future = executor.scheduleAtFixedRate(() -> runs.add(System.nanoTime()), 1, 1, TimeUnit.MILLISECONDS);
        for (int i = 1; i <= 20; i++) {
            assertThat(runs.take() - begin).isGreaterThanOrEqualTo(i * 1_000_000L);
        }
        assertThat(future.isDone()).isFalse();
        assertThat(future.cancel(false)).isTrue();
        executor.submit(() -> {}).get();
        runs.clear();
        executor.schedule(() -> {}, 5, TimeUnit.MILLISECONDS).get();
        assertThat(runs).isEmpty();
    }

    @Test
    void aFixedRateDoesNotOverlapAndCatchesUp() throws Exception {
        var running = new AtomicInteger();
        var overlapped = new AtomicInteger();
        var starts = new LinkedBlockingQueue<Long>();
        long begin = System.nanoTime();
        var first = new AtomicInteger();
        var future = executor.scheduleAtFixedRate(
                () -> {
                    if (running.incrementAndGet() > 1) {
                        overlapped.incrementAndGet();
                    }
                    starts.add(System.nanoTime());
                    if (first.getAndIncrement() == 0) {
                        // The periods go by while it runs.
                        try {
                            loop.runInExecutor(() -> {
                                        LockSupport.parkNanos(60_000_000);
                                        return 1;
                                    })
                                    .await();
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    }
                    running.decrementAndGet();
                },
                0,
                5,
                TimeUnit.MILLISECONDS);
        long last = 0;
        for (int i = 0; i < 13; i++) {
            last = starts.take();
            // Never before its time, counted from the start and not from the run before.
            assertThat(last - begin).isGreaterThanOrEqualTo(i * 5_000_000L);
        }
        future.cancel(false);
        assertThat(overlapped.get()).isZero();
    }

    @Test
    void aFixedDelayCountsFromTheEndOfARun() throws Exception {
        var ends = new LinkedBlockingQueue<Long>();
        var starts = new LinkedBlockingQueue<Long>();
        var future = executor.scheduleWithFixedDelay(
                () -> {
                    starts.add(System.nanoTime());
                    ends.add(System.nanoTime());
                },
                0,
                3,
                TimeUnit.MILLISECONDS);
        starts.take();
        for (int i = 0; i < 5; i++) {
            long end = ends.take();
            assertThat(starts.take() - end).isGreaterThanOrEqualTo(3_000_000);
        }
        future.cancel(false);
    }

    @Test
    void anExceptionEndsPeriodicWorkAndIsInItsFuture() {
        var failure = new IllegalStateException("broken");
        var runs = new AtomicInteger();
        var future = executor.scheduleAtFixedRate(
                () -> {
                    if (runs.incrementAndGet() == 3) {
                        throw failure;
                    }
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCause(failure);
        assertThat(runs.get()).isEqualTo(3);
    }

    @Test
    void cancellingPeriodicWorkWithInterruptionCancelsTheRun() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var future = executor.scheduleAtFixedRate(
                () -> {
                    try {
                        begun.countDown();
                        loop.createFuture().await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    } finally {
                        ended.countDown();
                    }
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        begun.await();
        future.cancel(true);
        ended.await();
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void periodicWorkMayCancelItself() throws Exception {
        var self = new CompletableFuture<Future<?>>();
        var runs = new AtomicInteger();
        self.complete(executor.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    self.join().cancel(false);
                },
                1,
                1,
                TimeUnit.MILLISECONDS));
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(runs.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(() -> {}, 1, 0, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("period");
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(() -> {}, 1, -1, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay");
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(null, 1, 1, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule((Runnable) null, 1, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule(() -> 1, 1, null)).isInstanceOf(NullPointerException.class);
    }
}
