package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop as an executor: work, waiting, and cancelling, from every kind of thread. */
@Timeout(60)
class LoopExecutorTest {
    private final LinkedBlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private EventLoop loop;
    private ScheduledExecutorService executor;

    @BeforeEach
    void start() {
        loop = EventLoop.create();
        loop.exceptionHandler(context -> errors.add(context.exception()));
        loop.start();
        executor = loop.executorService();
    }

    @AfterEach
    void close() {
        loop.close();
        assertThat(errors).isEmpty();
    }

    /** A body that a cancel ends, on the baton too. */
    private Callable<String> endless(Runnable begun) {
        return () -> {
            begun.run();
            return loop.<String>createFuture().await();
        };
    }

    // Work

    @Test
    @Tag("cells")
    void eachPieceOfWorkIsATaskOfTheLoop() throws Exception {
        var task = executor.submit((Callable<Task<?>>) () -> {
            assertThat(EventLoop.current()).isSameAs(loop);
            return Task.current();
        });
        assertThat(task.get()).isNotNull();
        var ran = new CompletableFuture<Task<?>>();
        executor.execute(() -> ran.complete(Task.current()));
        assertThat(ran.get()).isNotNull().isNotSameAs(task.get());
    }

    @Test
    void workMayAwait() throws Exception {
        assertThat(executor.submit(() -> loop.runInExecutor(() -> "x").await()).get())
                .isEqualTo("x");
    }

    @Test
    @Tag("carrier")
    void workMayParkInTheJdkWhileOtherWorkRuns() throws Exception {
        var latch = new CountDownLatch(1);
        var first = executor.submit(() -> latch.await(30, TimeUnit.SECONDS));
        executor.submit(latch::countDown);
        assertThat(first.get()).isTrue();
    }

    @Test
    void submittedCommandsGiveTheirResult() throws Exception {
        assertThat(executor.submit(() -> {}, "x").get()).isEqualTo("x");
        assertThat(executor.submit((Runnable) () -> {}).get()).isNull();
    }

    @Test
    void aFailureIsInTheFuture() {
        var failure = new IOException("broken");
        var future = executor.submit(() -> {
            throw failure;
        });
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCause(failure);
        assertThat(future.state()).isEqualTo(Future.State.FAILED);
    }

    @Test
    void whatExecuteThrowsGoesToTheExceptionHandler() throws Exception {
        var failure = new IllegalStateException("broken");
        executor.execute(() -> {
            throw failure;
        });
        assertThat(errors.poll(30, TimeUnit.SECONDS)).isSameAs(failure);
    }

    @Test
    void workStartsInTheOrderOfSubmission() throws Exception {
        var order = new ArrayList<Integer>();
        var last = List.<Future<?>>of();
        for (int i = 0; i < 200; i++) {
            int number = i;
            last = List.of(executor.submit((Runnable) () -> order.add(number)));
        }
        last.getFirst().get();
        assertThat(order).hasSize(200).isSorted();
    }

    @Test
    void refusesNull() {
        assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit((Runnable) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit((Callable<?>) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit(null, "x")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.invokeAll(null)).isInstanceOf(NullPointerException.class);
        var withNull = new ArrayList<Callable<String>>();
        withNull.add(null);
        assertThatThrownBy(() -> executor.invokeAll(withNull)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.invokeAny(withNull)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.awaitTermination(1, null)).isInstanceOf(NullPointerException.class);
    }

    // Cancelling

    @Test
    @Tag("cells")
    void cancellingWithInterruptionCancelsTheTask() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var future = executor.submit(() -> {
            try {
                return endless(begun::countDown).call();
            } catch (CancellationException e) {
                ended.countDown();
                throw e;
            }
        });
        begun.await();
        assertThat(future.cancel(true)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        ended.await();
    }

    @Test
    @Tag("carrier")
    void cancellingWithInterruptionInterruptsAJdkCall() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Throwable>();
        var future = executor.submit(() -> {
            begun.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                ended.complete(e);
            }
        });
        begun.await();
        future.cancel(true);
        assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void cancellingWithoutInterruptionLetsTheTaskGoOn() throws Exception {
        var begun = new CountDownLatch(1);
        var gate = loop.<String>createFuture();
        var ended = new CompletableFuture<String>();
        var future = executor.submit(() -> {
            begun.countDown();
            return ended.complete(gate.await());
        });
        begun.await();
        assertThat(future.cancel(false)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        gate.complete("went on");
        assertThat(ended.get()).isEqualTo("went on");
    }

    @Test
    void whatIsCancelledBeforeItStartsDoesNotRun() throws Exception {
        var ran = new AtomicInteger();
        var held = holdLoop();
        var future = executor.submit(ran::incrementAndGet);
        future.cancel(false);
        held.countDown();
        executor.submit(() -> {}).get();
        assertThat(ran.get()).isZero();
    }

    private CountDownLatch holdLoop() throws InterruptedException {
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
        return release;
    }

    // Many at once

    private static List<Callable<Integer>> numbers(int count) {
        var all = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < count; i++) {
            int number = i;
            all.add(() -> number);
        }
        return all;
    }

    private static int sum(List<Future<Integer>> futures) {
        return futures.stream().mapToInt(Future::resultNow).sum();
    }

    @Test
    @Tag("cells")
    void invokeAllWaitsForAllOnAPlatformThread() throws Exception {
        assertThat(sum(executor.invokeAll(numbers(100)))).isEqualTo(4950);
        assertThat(executor.invokeAll(numbers(0))).isEmpty();
    }

    @Test
    void invokeAllWorksOnAVirtualThread() throws Exception {
        var result = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(sum(executor.invokeAll(numbers(100))));
            } catch (InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        assertThat(result.get()).isEqualTo(4950);
    }

    @Test
    @Tag("cells")
    void invokeAllInATaskOfTheLoopParksTheTask() throws Exception {
        assertThat(loop.submit(() -> sum(executor.invokeAll(numbers(100)))).get())
                .isEqualTo(4950);
    }

    @Test
    @Tag("cells")
    void everythingWorksInATaskOfAnotherLoop() throws Exception {
        try (var other = EventLoop.create().start()) {
            int found = other.submit(() -> {
                        int all = sum(executor.invokeAll(numbers(10)));
                        int any = executor.invokeAny(numbers(1));
                        int one = executor.submit(() -> 1000).get();
                        executor.shutdown();
                        return executor.awaitTermination(30, TimeUnit.SECONDS) ? all + any + one : -1;
                    })
                    .get();
            assertThat(found).isEqualTo(1045);
        }
    }

    @Test
    void failuresAreLeftInTheFuturesOfInvokeAll() throws Exception {
        var futures = executor.invokeAll(List.of(() -> "fine", () -> {
            throw new IOException("broken");
        }));
        assertThat(futures.get(0).state()).isEqualTo(Future.State.SUCCESS);
        assertThat(futures.get(1).state()).isEqualTo(Future.State.FAILED);
    }

    @Test
    void whatIsNotDoneInTimeIsCancelledByInvokeAll() throws Exception {
        var futures = executor.invokeAll(List.of(endless(() -> {})), 1, TimeUnit.MILLISECONDS);
        assertThat(futures)
                .singleElement()
                .satisfies(future -> assertThat(future.isCancelled()).isTrue());
    }

    @Test
    void anInterruptOfInvokeAllCancelsItsWork() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        var caller = Thread.ofPlatform().start(() -> {
            try {
                executor.invokeAll(List.of(() -> {
                    try {
                        return endless(begun::countDown).call();
                    } finally {
                        ended.countDown();
                    }
                }));
            } catch (InterruptedException e) {
                thrown.complete(e);
            }
        });
        begun.await();
        caller.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        ended.await();
    }

    @Test
    @Tag("cells")
    void aCancelOfTheTaskInInvokeAllCancelsItsWork() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var caller = loop.submit(() -> executor.invokeAll(List.of(() -> {
            try {
                return endless(begun::countDown).call();
            } finally {
                ended.countDown();
            }
        })));
        begun.await();
        caller.cancel();
        ended.await();
        Until.holds("no task is left", () -> loop.taskCount() == 0);
    }

    @Test
    void invokeAnyGivesTheFirstSuccessAndCancelsTheRest() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var result = executor.invokeAny(List.of(
                () -> {
                    throw new IOException("broken");
                },
                () -> {
                    try {
                        return endless(begun::countDown).call();
                    } finally {
                        ended.countDown();
                    }
                },
                () -> loop.runInExecutor(() -> {
                            begun.await();
                            return "x";
                        })
                        .await()));
        assertThat(result).isEqualTo("x");
        ended.await();
    }

    @Test
    void invokeAnyFailsWhenAllFail() {
        var failure = new IOException("broken");
        Callable<String> failing = () -> {
            throw failure;
        };
        assertThatThrownBy(() -> executor.invokeAny(List.of(failing, failing)))
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
        assertThatThrownBy(() -> executor.invokeAny(List.<Callable<String>>of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void invokeAnyGivesUpAfterItsLimit() {
        assertThatThrownBy(() -> executor.invokeAny(List.of(endless(() -> {})), 1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        Until.holds("no task is left", () -> loop.taskCount() == 0);
    }

    // Where waiting cannot work

    private Throwable onTheBareLoop(Callable<?> call) throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        loop.post(() -> {
            try {
                thrown.complete(new AssertionError("returned " + call.call()));
            } catch (Throwable error) {
                thrown.complete(error);
            }
        });
        return thrown.get();
    }

    @Test
    @Tag("cells")
    void waitingOnTheBareLoopThreadThrowsAtOnce() throws Exception {
        var job = executor.submit(endless(() -> {}));
        assertThat(onTheBareLoop(job::get)).isInstanceOf(IllegalStateException.class);
        assertThat(onTheBareLoop(() -> executor.invokeAll(numbers(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("deadlock");
        assertThat(onTheBareLoop(() -> executor.invokeAny(numbers(1)))).isInstanceOf(IllegalStateException.class);
        assertThat(onTheBareLoop(() -> executor.awaitTermination(1, TimeUnit.HOURS)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onTheBareLoop(() -> {
                    executor.close();
                    return "";
                }))
                .isInstanceOf(IllegalStateException.class);
        job.cancel(true);
    }

    @Test
    void waitingOnTheThreadThatARestingLoopBelongsToThrows() {
        try (var resting = EventLoop.create()) {
            var view = resting.executorService();
            view.execute(() -> {});
            assertThatThrownBy(() -> view.awaitTermination(1, TimeUnit.HOURS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("deadlock");
            assertThatThrownBy(() -> view.invokeAll(numbers(1))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void waitingOnTheBareThreadOfAnotherLoopThrows() throws Exception {
        try (var other = EventLoop.create().start()) {
            var view = other.executorService();
            assertThat(onTheBareLoop(() -> view.invokeAll(numbers(1))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another loop");
        }
    }

    // With the JDK's own

    @Test
    @Tag("carrier")
    void servesACompletionService() throws Exception {
        var service = new ExecutorCompletionService<Integer>(executor);
        numbers(50).forEach(service::submit);
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += service.take().get();
        }
        assertThat(sum).isEqualTo(1225);
    }

    @Test
    void servesCompletableFutures() throws Exception {
        var where = CompletableFuture.supplyAsync(() -> Task.current() != null, executor)
                .thenApplyAsync(inTask -> inTask && EventLoop.current() == loop, executor);
        assertThat(where.get()).isTrue();
    }

    @Test
    void aClosedLoopTakesNoWork() {
        loop.close();
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.schedule(() -> 1, 1, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        var late = loop.executorService();
        assertThat(late.isTerminated()).isTrue();
        assertThatThrownBy(() -> late.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
    }
}
