package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that use a loop while it closes: all of it runs or is refused, and nothing vanishes. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class CloseRaceTest {
    private static final int ROUNDS = 200;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private List<Future<?>> together(int count, CyclicBarrier barrier, Callable<?> work) {
        var ends = new ArrayList<Future<?>>();
        for (int i = 0; i < count; i++) {
            ends.add(threads.submit(() -> {
                barrier.await();
                return work.call();
            }));
        }
        return ends;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("cells")
    void aPostRunsOrIsRefused(boolean ownThread) throws Exception {
        int posters = 8;
        for (int round = 0; round < ROUNDS; round++) {
            var loop = EventLoop.create();
            var accepted = new AtomicInteger();
            var ran = new AtomicInteger();
            var barrier = new CyclicBarrier(posters + 1);
            if (ownThread) {
                loop.start();
            }
            var ends = together(posters, barrier, () -> {
                for (int i = 0; i < 1_000; i++) {
                    try {
                        loop.post(ran::incrementAndGet);
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException closed) {
                        return null;
                    }
                }
                return null;
            });
            barrier.await();
            if (!ownThread) {
                loop.runOnce();
            }
            loop.close();
            for (var end : ends) {
                end.get();
            }
            assertThat(ran.get()).isEqualTo(accepted.get());
        }
    }

    @Test
    void aSubmissionEndsOrIsRefused() throws Exception {
        for (int round = 0; round < ROUNDS / 4; round++) {
            var loop = EventLoop.create().start();
            var barrier = new CyclicBarrier(4);
            var submitted = new ConcurrentLinkedQueue<LoopFuture<String>>();
            var ends = together(3, barrier, () -> {
                for (int i = 0; i < 200; i++) {
                    try {
                        submitted.add(
                                loop.submit(() -> loop.<String>createFuture().await()));
                    } catch (RejectedExecutionException closed) {
                        return null;
                    }
                }
                return null;
            });
            barrier.await();
            loop.submit(() -> "x").get();
            loop.close();
            for (var end : ends) {
                end.get();
            }
            for (var future : submitted) {
                assertThat(future.isDone()).isTrue();
                assertThat(future.failureOrNull())
                        .isInstanceOfAny(CancellationException.class, RejectedExecutionException.class);
            }
        }
    }

    @Test
    void ofTwoClosersOneCloses() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var loop = EventLoop.create();
            if (round % 2 == 0) {
                loop.start();
            }
            var barrier = new CyclicBarrier(3);
            var refused = new AtomicInteger();
            var ends = together(3, barrier, () -> {
                try {
                    loop.close();
                } catch (IllegalStateException closing) {
                    refused.incrementAndGet();
                }
                return null;
            });
            for (var end : ends) {
                end.get(30, TimeUnit.SECONDS);
            }
            assertThat(loop.isClosed()).isTrue();
            assertThat(refused.get()).isLessThan(3);
        }
    }

    @Test
    void ofTwoRunnersOneRuns() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (var loop = EventLoop.create()) {
                var barrier = new CyclicBarrier(2);
                var inside = new AtomicInteger();
                var ran = new AtomicInteger();
                var refused = new AtomicInteger();
                var ends = together(2, barrier, () -> {
                    try {
                        loop.run(() -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            ran.incrementAndGet();
                            inside.decrementAndGet();
                        });
                    } catch (IllegalStateException busy) {
                        refused.incrementAndGet();
                    }
                    return null;
                });
                for (var end : ends) {
                    end.get(30, TimeUnit.SECONDS);
                }
                assertThat(ran.get() + refused.get()).isEqualTo(2);
                assertThat(ran.get()).isPositive();
            }
        }
    }

    @Test
    void workersThatEndMeanwhileAreQuiet(EventLoop unused) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var reports = new ConcurrentLinkedQueue<ExceptionContext>();
            var futures = new ArrayList<LoopFuture<Integer>>();
            try (var loop = EventLoop.create()) {
                loop.exceptionHandler(reports::add);
                for (int i = 0; i < 20; i++) {
                    int number = i;
                    var future = loop.runInExecutor(() -> number);
                    future.onDone(() -> {});
                    futures.add(future);
                }
                loop.runOnce();
            }
            for (var future : futures) {
                while (!future.isDone()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(reports).isEmpty();
        }
    }
}
