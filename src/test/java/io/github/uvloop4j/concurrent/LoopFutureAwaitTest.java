package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waiting: in tasks, on threads, and nowhere else. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LoopFutureAwaitTest {
    @Test
    @Tag("cells")
    void aTaskWaitsWhileTheLoopGoesOn(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        var future = loop.<String>createFuture();
        var result = loop.run(() -> {
            loop.callSoon(() -> {
                order.add("callback");
                future.complete("x");
            });
            order.add("waits");
            var value = future.await();
            order.add("woken");
            return value;
        });
        assertThat(result).isEqualTo("x");
        assertThat(order).containsExactly("waits", "callback", "woken");
    }

    @Test
    void aDoneFutureDoesNotPark(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            loop.callSoon(() -> order.add("callback"));
            LoopFuture.completed(null, "x").await();
            order.add("task");
        });
        assertThat(order).startsWith("task");
    }

    @Test
    void everyTaskThatWaitsIsWokenInOrder(EventLoop loop) throws Exception {
        var order = new ArrayList<Integer>();
        var future = loop.<String>createFuture();
        loop.run(() -> {
            var tasks = new ArrayList<Task<Boolean>>();
            for (int i = 0; i < 10; i++) {
                int number = i;
                tasks.add(loop.spawn(() -> {
                    future.await();
                    return order.add(number);
                }));
            }
            loop.callSoon(() -> future.complete("x"));
            for (var task : tasks) {
                task.await();
            }
        });
        assertThat(order).hasSize(10).isSorted();
    }

    @Test
    void awaitThrowsTheFailureItself(EventLoop loop) {
        var failure = new IOException("broken");
        var future = loop.<String>createFuture();
        loop.callSoon(() -> future.completeExceptionally(failure));
        assertThatThrownBy(() -> loop.run(() -> {
                    future.await();
                }))
                .isSameAs(failure);
    }

    @Test
    void getInATaskWrapsTheFailure(EventLoop loop) {
        var failure = new IOException("broken");
        var future = loop.<String>createFuture();
        loop.callSoon(() -> future.completeExceptionally(failure));
        assertThatThrownBy(() -> loop.run(() -> {
                    future.get();
                }))
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
    }

    @Test
    void awaitingACancelledFutureThrows(EventLoop loop) {
        var future = loop.<String>createFuture();
        loop.callSoon(future::cancel);
        assertThatThrownBy(() -> loop.run(() -> {
                    future.await();
                }))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void aTaskCanWaitForAnotherLoopsFuture(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            assertThat(loop.<Integer>run(() -> {
                        int sum = 0;
                        for (int i = 0; i < 50; i++) {
                            int number = i;
                            sum += other.submit(() -> number).await();
                        }
                        return sum;
                    }))
                    .isEqualTo(1225);
        }
    }

    @Test
    void aForeignThreadBlocksUntilTheEnd(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            var result = new AtomicReference<String>();
            var future = other.<String>createFuture();
            var waiter = Thread.ofPlatform().start(() -> {
                try {
                    result.set(future.await());
                } catch (Exception e) {
                    result.set(e.toString());
                }
            });
            other.post(() -> future.complete("x"));
            waiter.join();
            assertThat(result.get()).isEqualTo("x");
        }
    }

    @Test
    void aVirtualThreadOutsideAnyLoopBlocksToo(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            var result = new AtomicReference<String>();
            var thread = Thread.ofVirtual().start(() -> {
                try {
                    result.set(other.submit(() -> "x").get());
                } catch (Exception e) {
                    result.set(e.toString());
                }
            });
            thread.join();
            assertThat(result.get()).isEqualTo("x");
        }
    }

    @Test
    void anInterruptedThreadStopsWaiting() throws Exception {
        var future = new LoopFuture<String>();
        var waiting = new CountDownLatch(1);
        var thrown = new AtomicReference<Exception>();
        var waiter = Thread.ofPlatform().start(() -> {
            waiting.countDown();
            try {
                future.await();
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        waiting.await();
        waiter.interrupt();
        waiter.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(future.isDone()).isFalse();
    }

    @Test
    @Tag("cells")
    void theBareLoopThreadThrowsAtOnce(EventLoop loop) {
        var thrown = new ArrayList<Throwable>();
        var future = loop.<String>createFuture();
        loop.callSoon(() -> {
            collect(thrown, future::await);
            collect(thrown, future::get);
            collect(thrown, () -> future.await(Duration.ofSeconds(1)));
            collect(thrown, () -> future.get(1, TimeUnit.SECONDS));
        });
        loop.runOnce();
        assertThat(thrown)
                .hasSize(4)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("loop.spawn"));
    }

    @Test
    void theBareLoopThreadThrowsForAnyFuture(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            var thrown = new ArrayList<Throwable>();
            loop.callSoon(() -> {
                collect(thrown, () -> other.createFuture().await());
                collect(thrown, () -> new LoopFuture<>().await());
                collect(thrown, () -> loop.spawn(() -> 1).await());
            });
            loop.runOnce();
            assertThat(thrown)
                    .hasSize(3)
                    .allSatisfy(error -> assertThat(error).isInstanceOf(IllegalStateException.class));
        }
    }

    @Test
    void theThreadOfARestingLoopMayNotWaitForItsFutures(EventLoop loop) {
        assertThatThrownBy(() -> loop.createFuture().await()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theThreadOfARestingLoopMayWaitForOthers(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            assertThat(other.submit(() -> 42).await()).isEqualTo(42);
        }
    }

    @Test
    void aDoneFutureCanBeReadAnywhere(EventLoop loop) {
        var values = new ArrayList<String>();
        loop.callSoon(() -> {
            try {
                values.add(LoopFuture.completed(null, "x").await());
                values.add(LoopFuture.completed(null, "y").get());
                values.add(LoopFuture.completed(null, "z").await(Duration.ZERO));
            } catch (Exception e) {
                values.add(e.toString());
            }
        });
        loop.runOnce();
        assertThat(values).containsExactly("x", "y", "z");
    }

    private interface Waits {
        Object run() throws Exception;
    }

    private static void collect(ArrayList<Throwable> thrown, Waits waits) {
        try {
            waits.run();
        } catch (Throwable error) {
            thrown.add(error);
        }
    }

    @Test
    void aTaskCannotAwaitItself(EventLoop loop) {
        var self = new AtomicReference<Task<String>>();
        var task = loop.<String>spawn(() -> self.get().await());
        self.set(task);
        assertThatThrownBy(() -> loop.runUntilComplete(task))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot await itself");
    }
}
