package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls into a loop that wait for their result. */
@Timeout(60)
class LoopCallTest {
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
    void aPlatformThreadGetsTheResult() throws Exception {
        assertThat(loop.call(() -> EventLoop.current() == loop && Task.current() != null))
                .isTrue();
        loop.call(() -> {
            loop.runInExecutor(() -> 1).await();
        });
        assertThat(loop.call(Duration.ofSeconds(Long.MAX_VALUE), () -> "x")).isEqualTo("x");
    }

    @Test
    void aVirtualThreadGetsTheResult() throws Exception {
        var result = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(loop.call(() -> "x"));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        assertThat(result.get()).isEqualTo("x");
    }

    @Test
    void theCallerGetsTheFailureItself() {
        var failure = new IOException("broken");
        Callable<String> body = () -> {
            throw failure;
        };
        assertThatThrownBy(() -> loop.call(body)).isSameAs(failure);
        assertThatThrownBy(() -> loop.call(Duration.ofMinutes(1), body)).isSameAs(failure);
    }

    @Test
    @Tag("cells")
    void aTaskOfTheSameLoopParks() throws Exception {
        assertThat(loop.call(() -> loop.call(() -> loop.call(() -> "x")))).isEqualTo("x");
    }

    @Test
    @Tag("cells")
    void twoLoopsCallIntoEachOtherInARing() throws Exception {
        try (var other = EventLoop.create().start()) {
            assertThat(loop.call(() -> other.call(() -> loop.call(() -> other.call(() -> "x")))))
                    .isEqualTo("x");
            var results = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 4; i++) {
                var from = i % 2 == 0 ? loop : other;
                var to = i % 2 == 0 ? other : loop;
                var result = new CompletableFuture<Integer>();
                results.add(result);
                from.submit(() -> {
                            int sum = 0;
                            for (int round = 0; round < 200; round++) {
                                sum += to.call(() -> from.call(() -> 1));
                            }
                            return sum;
                        })
                        .whenDone((sum, error) -> result.complete(sum));
            }
            for (var result : results) {
                assertThat(result.get()).isEqualTo(200);
            }
        }
    }

    @Test
    @Tag("cells")
    void theBareLoopThreadIsToldOfTheDeadlock() throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        loop.post(() -> {
            try {
                thrown.complete(new AssertionError(loop.call(() -> "x")));
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("deadlock");
    }

    @Test
    void theBareThreadOfAnotherLoopIsToldToo() throws Exception {
        try (var other = EventLoop.create().start()) {
            var thrown = new CompletableFuture<Throwable>();
            other.post(() -> {
                try {
                    thrown.complete(new AssertionError(loop.call(() -> "x")));
                } catch (Exception e) {
                    thrown.complete(e);
                }
            });
            assertThat(thrown.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("deadlock")
                    .hasMessageContaining("another loop");
        }
    }

    @Test
    void theThreadThatARestingLoopBelongsToIsToldToo() {
        try (var resting = EventLoop.create()) {
            assertThatThrownBy(() -> resting.call(() -> "x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("deadlock");
            assertThatThrownBy(() -> resting.call(Duration.ofHours(1), () -> "x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("deadlock");
        }
    }

    @Test
    void aLoopThatNobodyRunsIsRefusedUnlessThereIsALimit() throws Exception {
        try (var resting = EventLoop.create()) {
            var refused = new CompletableFuture<Throwable>();
            Thread.ofPlatform().start(() -> {
                try {
                    refused.complete(new AssertionError(resting.call(() -> "x")));
                } catch (Exception e) {
                    refused.complete(e);
                }
            });
            assertThat(refused.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("does not run");
            var limited = new CompletableFuture<Throwable>();
            Thread.ofPlatform().start(() -> {
                try {
                    limited.complete(new AssertionError(resting.call(Duration.ofMillis(1), () -> "x")));
                } catch (Exception e) {
                    limited.complete(e);
                }
            });
            assertThat(limited.get()).isInstanceOf(TimeoutException.class);
            var answered = new CompletableFuture<String>();
            var caller = Thread.ofPlatform().start(() -> {
                try {
                    answered.complete(resting.call(Duration.ofMinutes(1), () -> "x"));
                } catch (Exception e) {
                    answered.completeExceptionally(e);
                }
            });
            Until.holds("it waits", () -> Until.waits(caller));
            resting.start();
            assertThat(answered.get()).isEqualTo("x");
        }
    }

    @Test
    void theLimitCancelsTheTask() throws Exception {
        var ended = new CompletableFuture<Throwable>();
        assertThatThrownBy(() -> loop.call(Duration.ofMillis(20), () -> {
                    try {
                        loop.createFuture().await();
                    } catch (CancellationException e) {
                        ended.complete(e);
                        throw e;
                    }
                }))
                .isInstanceOf(TimeoutException.class);
        assertThat(ended.get()).isInstanceOf(CancellationException.class);
    }

    @Test
    @Tag("cells")
    void anInterruptOfTheCallerCancelsTheTask() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Throwable>();
        var thrown = new CompletableFuture<Throwable>();
        var caller = Thread.ofPlatform().start(() -> {
            try {
                loop.call(() -> {
                    try {
                        begun.countDown();
                        loop.createFuture().await();
                    } catch (CancellationException e) {
                        ended.complete(e);
                        throw e;
                    }
                });
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        begun.await();
        caller.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(ended.get()).isInstanceOf(CancellationException.class);
    }

    @Test
    void aCancelOfTheCallingTaskCancelsTheTask() throws Exception {
        try (var other = EventLoop.create().start()) {
            var begun = new CountDownLatch(1);
            var ended = new CompletableFuture<Throwable>();
            var thrown = new CompletableFuture<Throwable>();
            var caller = other.submit(() -> {
                try {
                    loop.call(() -> {
                        try {
                            begun.countDown();
                            loop.createFuture().await();
                        } catch (CancellationException e) {
                            ended.complete(e);
                            throw e;
                        }
                    });
                } catch (CancellationException e) {
                    thrown.complete(e);
                    throw e;
                }
            });
            begun.await();
            caller.cancel();
            assertThat(thrown.get()).isInstanceOf(CancellationException.class);
            assertThat(ended.get()).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void closingTheLoopCancelsTheCall() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        Thread.ofPlatform().start(() -> {
            try {
                loop.call(() -> {
                    begun.countDown();
                    loop.createFuture().await();
                });
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        begun.await();
        loop.close();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> loop.call(() -> "x")).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> loop.call((Callable<String>) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("body");
        assertThatThrownBy(() -> loop.call(null, () -> "x"))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("limit");
        assertThatThrownBy(() -> loop.call(Duration.ZERO, () -> "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit");
        assertThatThrownBy(() -> loop.call(Duration.ofNanos(-1), () -> "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
