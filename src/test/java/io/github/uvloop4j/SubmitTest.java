package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that other threads start. */
@Timeout(60)
class SubmitTest {
    private EventLoop loop;

    @BeforeEach
    void start() {
        loop = EventLoop.create().start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    @Tag("cells")
    void givesTheResult() throws Exception {
        assertThat(loop.submit(() -> EventLoop.current() == loop).get()).isTrue();
    }

    @Test
    void aBodyWithoutResultGivesNull() throws Exception {
        var ran = new AtomicInteger();
        assertThat(loop.submit(() -> {
                            ran.incrementAndGet();
                        })
                        .get())
                .isNull();
        assertThat(ran.get()).isEqualTo(1);
    }

    @Test
    void givesTheFailure() {
        var failure = new IOException("broken");
        Callable<String> body = () -> {
            throw failure;
        };
        assertThatThrownBy(() -> loop.submit(body).get())
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
        assertThatThrownBy(() -> loop.submit(body).await()).isSameAs(failure);
    }

    @Test
    void refusesNull() {
        assertThatThrownBy(() -> loop.submit((Callable<String>) null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void theBodyMayAwait() throws Exception {
        assertThat(loop.submit(() -> loop.runInExecutor(() -> "x").await()).get())
                .isEqualTo("x");
    }

    @Test
    @Tag("cells")
    void cancellingTheFutureCancelsTheTask() throws Exception {
        var awaits = new CountDownLatch(1);
        var ended = new LinkedBlockingQueue<String>();
        var future = loop.submit(() -> {
            try {
                loop.callSoon(awaits::countDown);
                return loop.createFuture().await();
            } catch (CancellationException e) {
                ended.add("cancelled");
                throw e;
            }
        });
        awaits.await();
        assertThat(future.cancel()).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("cancelled");
    }

    @Test
    void whatIsCancelledBeforeItStartsDoesNotRun() throws Exception {
        var ran = new AtomicInteger();
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
        var future = loop.submit(ran::incrementAndGet);
        future.cancel();
        release.countDown();
        loop.submit(() -> 1).get();
        assertThat(ran.get()).isZero();
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void aTaskThatCancelsItselfCancelsTheFuture() {
        var future = loop.submit(() -> {
            loop.currentTask().cancel();
            return loop.createFuture().await();
        });
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void cancellingADoneFutureDoesNothing() throws Exception {
        var future = loop.submit(() -> "x");
        future.get();
        assertThat(future.cancel()).isFalse();
        assertThat(future.get()).isEqualTo("x");
    }

    @Test
    void cancelsThatRaceTheStartLeaveNoTaskBehind() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            var future = loop.submit(() -> loop.createFuture().await());
            if (i % 3 == 0) {
                Thread.yield();
            }
            future.cancel();
        }
        assertThat(loop.submit(() -> {
                            for (int i = 0; i < 1_000 && loop.taskCount() > 1; i++) {
                                loop.runInExecutor(() -> 1).await();
                            }
                            return loop.taskCount();
                        })
                        .get())
                .isEqualTo(1);
    }

    @Test
    void submissionsOfManyThreadsAllEnd() throws Exception {
        int each = 2_000;
        var sum = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    try {
                        sum.addAndGet(loop.submit(() -> 1).get());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(sum.get()).isEqualTo(4 * each);
    }
}
