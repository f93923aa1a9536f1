package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waiting: in tasks, on threads, and nowhere else. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LoopFutureAwaitTest {
    private static final Duration LONG = Duration.ofSeconds(Long.MAX_VALUE);

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
    @Tag("cells")
    void aTaskStopsWaitingAfterTheLimit(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.run(() -> {
            long start = System.nanoTime();
            assertThatThrownBy(() -> future.await(Duration.ofMillis(20)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("PT0.02S");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
            assertThat(future.isDone()).isFalse();
            future.complete("x");
            assertThat(future.await(Duration.ofMillis(20))).isEqualTo("x");
        });
    }

    @Test
    void aLimitOfZeroOrLessTimesOut(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.run(() -> {
            assertThatThrownBy(() -> future.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> future.await(Duration.ofSeconds(-5))).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> future.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        });
    }

    @Test
    void anEndlessLimitIsAccepted(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.callSoon(() -> future.complete("x"));
        assertThat(loop.run(() -> future.await(LONG))).isEqualTo("x");
        var second = loop.<String>createFuture();
        loop.callSoon(() -> second.complete("y"));
        assertThat(loop.run(() -> second.get(Long.MAX_VALUE, TimeUnit.DAYS))).isEqualTo("y");
    }

    @Test
    void anEndlessLimitOnAThreadIsAccepted() throws Exception {
        var future = new LoopFuture<String>();
        var waiting = new CountDownLatch(1);
        var result = new AtomicReference<String>();
        var waiter = Thread.ofPlatform().start(() -> {
            waiting.countDown();
            try {
                result.set(future.await(LONG));
            } catch (Exception e) {
                result.set(e.toString());
            }
        });
        waiting.await();
        future.complete("x");
        waiter.join();
        assertThat(result.get()).isEqualTo("x");
    }

    @Test
    void waitingWithALimitInTurnsLeavesNoWaitersBehind(EventLoop loop) throws Exception {
        var never = loop.<String>createFuture();
        loop.run(() -> {
            var other = loop.spawn(() -> {
                for (int i = 0; i < 200; i++) {
                    waitInVain(never);
                }
            });
            for (int i = 0; i < 200; i++) {
                waitInVain(never);
            }
            other.await();
        });
        assertThat(waitersOf(never)).isLessThanOrEqualTo(2);
    }

    private static int waitersOf(LoopFuture<?> future) throws ReflectiveOperationException {
        var state = MethodHandles.privateLookupIn(LoopFuture.class, MethodHandles.lookup())
                .findVarHandle(LoopFuture.class, "state", Object.class);
        int count = 0;
        for (var node = (Callback) state.getVolatile(future); node != null; node = node.next) {
            count++;
        }
        return count;
    }

    private static void waitInVain(LoopFuture<String> future) throws Exception {
        try {
            future.await(Duration.ofNanos(50_000));
            throw new AssertionError("it never ends");
        } catch (TimeoutException expected) {
            // As it must be.
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
