package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class RunInExecutorTest {
    private final ExecutorService single = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        single.shutdownNow();
    }

    @Test
    @Tag("cells")
    void givesTheResult(EventLoop loop) throws Exception {
        assertThat(loop.run(() -> loop.runInExecutor(() -> "x").await())).isEqualTo("x");
    }

    @Test
    void givesTheFailureItself(EventLoop loop) {
        var failure = new IOException("broken");
        var error = new AssertionError("broken");
        Callable<String> failing = () -> {
            throw failure;
        };
        Callable<String> erring = () -> {
            throw error;
        };
        assertThatThrownBy(() -> loop.runUntilComplete(loop.runInExecutor(failing)))
                .isSameAs(failure);
        assertThatThrownBy(() -> loop.runUntilComplete(loop.runInExecutor(erring)))
                .isSameAs(error);
    }

    @Test
    void runsOnAVirtualThreadNamedAfterTheLoop(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name("mine"))) {
            var thread = loop.runUntilComplete(loop.runInExecutor(Thread::currentThread));
            assertThat(thread.isVirtual()).isTrue();
            assertThat(thread.getName()).startsWith("mine-worker-");
        }
    }

    @Test
    void runsOnTheExecutorGiven(EventLoop loop) throws Exception {
        var own = single.submit(Thread::currentThread).get();
        assertThat(loop.runUntilComplete(loop.runInExecutor(single, Thread::currentThread)))
                .isSameAs(own);
    }

    @Test
    void runsOnTheExecutorOfTheOptions(EventLoop unused) throws Exception {
        var own = single.submit(Thread::currentThread).get();
        try (var loop = EventLoop.create(LoopOptions.defaults().executor(single))) {
            assertThat(loop.runUntilComplete(loop.runInExecutor(Thread::currentThread)))
                    .isSameAs(own);
        }
    }

    @Test
    void refusesNulls(EventLoop loop) {
        assertThatThrownBy(() -> loop.runInExecutor(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.runInExecutor(null, () -> 1)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void manyCallsBlockAtTheSameTime(EventLoop loop) throws Exception {
        var barrier = new CyclicBarrier(10);
        int sum = loop.<Integer>run(() -> {
            var futures = new ArrayList<io.github.uvloop4j.concurrent.LoopFuture<Integer>>();
            for (int i = 0; i < 10; i++) {
                int number = i;
                futures.add(loop.runInExecutor(() -> {
                    barrier.await();
                    return number;
                }));
            }
            int total = 0;
            for (var future : futures) {
                total += future.await();
            }
            return total;
        });
        assertThat(sum).isEqualTo(45);
    }

    @Test
    void callsBackOnTheLoop(EventLoop loop) throws Exception {
        var where = new ArrayList<Thread>();
        loop.runUntilComplete(loop.runInExecutor(() -> 1).then(value -> where.add(Thread.currentThread())));
        assertThat(where).containsExactly(Thread.currentThread());
    }

    @Test
    void worksFromAnyThread(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            assertThat(loop.runInExecutor(() -> "x").get()).isEqualTo("x");
        }
    }

    @Test
    @Tag("cells")
    void cancellingInterruptsTheCall(EventLoop loop) throws Exception {
        var started = new CountDownLatch(1);
        var ended = new LinkedBlockingQueue<Throwable>();
        var future = loop.runInExecutor(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ended.add(e);
            }
            return "x";
        });
        started.await();
        assertThat(future.cancel()).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aCancelledTaskInterruptsTheCallItAwaits(EventLoop loop) throws Exception {
        var started = new CountDownLatch(1);
        var ended = new LinkedBlockingQueue<String>();
        loop.run(() -> {
            var task = loop.spawn(() -> loop.runInExecutor(() -> {
                        started.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            ended.add("interrupted");
                        }
                        return "x";
                    })
                    .await());
            loop.runInExecutor(() -> {
                        started.await();
                        return 1;
                    })
                    .await();
            task.cancel();
            assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
        });
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    }

    @Test
    void aCallThatWasCancelledBeforeItsTurnDoesNotRun(EventLoop loop) {
        var kept = new ArrayList<Runnable>();
        var calls = new AtomicInteger();
        var future = loop.runInExecutor(kept::add, calls::incrementAndGet);
        future.cancel();
        kept.getFirst().run();
        assertThat(calls.get()).isZero();
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void anInterruptDoesNotReachTheNextCall(EventLoop loop) throws Exception {
        var interrupted = new AtomicInteger();
        for (int i = 0; i < 2_000; i++) {
            var future = loop.runInExecutor(single, () -> {
                Thread.onSpinWait();
                return 1;
            });
            var next = single.submit(() -> {
                if (Thread.interrupted()) {
                    interrupted.incrementAndGet();
                }
            });
            future.cancel();
            next.get();
        }
        assertThat(interrupted.get()).isZero();
    }

    @Test
    void aCancelIsNeverMissedByACallThatStarts(EventLoop loop) throws Exception {
        for (int i = 0; i < 2_000; i++) {
            var future = loop.runInExecutor(single, () -> {
                new CountDownLatch(1).await();
                return 1;
            });
            if (i % 2 == 0) {
                Thread.yield();
            }
            future.cancel();
            single.submit(() -> {}).get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void anExecutorThatIsShutDownSaysSo(EventLoop loop) {
        single.shutdown();
        assertThatThrownBy(() -> loop.runInExecutor(single, () -> 1)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void completesOnceWhenACancelRacesTheEnd(EventLoop loop) throws Exception {
        var ends = new AtomicInteger();
        int rounds = 2_000;
        for (int i = 0; i < rounds; i++) {
            var future = loop.runInExecutor(() -> 1);
            future.onDone(ends::incrementAndGet);
            future.cancel();
        }
        loop.run(() -> {
            loop.runInExecutor(() -> 1).await();
        });
        loop.runOnce();
        assertThat(ends.get()).isEqualTo(rounds);
    }
}
