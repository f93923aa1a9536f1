package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that add callbacks, complete and cancel at the same time: a million rounds, in batches. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class LoopFutureRaceTest {
    private static final int BATCHES = 50;
    private static final int SIZE = 20_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private interface Work {
        void on(LoopFuture<Integer> future, int number);
    }

    /** Runs each work over all futures, all works at the same time. */
    private void race(List<LoopFuture<Integer>> futures, Work... works) throws Exception {
        var barrier = new CyclicBarrier(works.length);
        var ends = new ArrayList<Future<?>>();
        for (var work : works) {
            ends.add(threads.submit((Callable<Void>) () -> {
                barrier.await();
                for (int i = 0; i < futures.size(); i++) {
                    work.on(futures.get(i), i);
                }
                return null;
            }));
        }
        for (var end : ends) {
            end.get();
        }
    }

    private static List<LoopFuture<Integer>> futures() {
        return Stream.generate(LoopFuture<Integer>::new).limit(SIZE).toList();
    }

    @Test
    void aCallbackAddedDuringTheCompletionRunsExactlyOnce() throws Exception {
        for (int batch = 0; batch < BATCHES; batch++) {
            var calls = new AtomicIntegerArray(SIZE);
            race(
                    futures(),
                    (future, i) -> future.whenDone((value, error) -> calls.addAndGet(i, value == i ? 1 : 100)),
                    (future, i) -> future.complete(i));
            for (int i = 0; i < SIZE; i++) {
                assertThat(calls.get(i)).isEqualTo(1);
            }
        }
    }

    @Test
    void oneOfTwoCompletionsWins() throws Exception {
        for (int batch = 0; batch < BATCHES / 5; batch++) {
            var wins = new AtomicIntegerArray(SIZE);
            var all = futures();
            race(
                    all,
                    (future, i) -> wins.addAndGet(i, future.complete(1) ? 1 : 0),
                    (future, i) -> wins.addAndGet(i, future.cancel() ? 10 : 0),
                    (future, i) -> future.onDone(() -> wins.addAndGet(i, 100)));
            for (int i = 0; i < SIZE; i++) {
                assertThat(wins.get(i)).isEqualTo(all.get(i).isCancelled() ? 110 : 101);
            }
        }
    }

    @Test
    void aThreadThatWaitsDuringTheCompletionIsWoken() throws Exception {
        for (int batch = 0; batch < BATCHES / 10; batch++) {
            var sums = new AtomicIntegerArray(SIZE);
            race(
                    futures(),
                    (future, i) -> {
                        try {
                            sums.set(i, future.await() + 1);
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    },
                    (future, i) -> future.complete(i));
            for (int i = 0; i < SIZE; i++) {
                assertThat(sums.get(i)).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void aTaskThatWaitsDuringAForeignCompletionIsWoken(EventLoop loop) throws Exception {
        int rounds = 50_000;
        var futures = new ArrayList<LoopFuture<Integer>>();
        for (int i = 0; i < rounds; i++) {
            futures.add(loop.createFuture());
        }
        var completer = threads.submit(() -> {
            for (int i = 0; i < rounds; i++) {
                futures.get(i).complete(i);
            }
        });
        long sum = loop.<Long>run(() -> {
            long total = 0;
            for (var future : futures) {
                total += future.await();
            }
            return total;
        });
        completer.get();
        assertThat(sum).isEqualTo((long) rounds * (rounds - 1) / 2);
    }
}
