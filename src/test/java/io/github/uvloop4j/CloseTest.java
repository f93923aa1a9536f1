package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.uv.UvTimer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class CloseTest {
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void isRepeatable(EventLoop loop) {
        loop.close();
        loop.close();
        assertThat(loop.isClosed()).isTrue();
        assertThat(loop).asString().contains("closed");
    }

    @Test
    void aClosedLoopDoesNotRun(EventLoop loop) {
        loop.close();
        assertThatThrownBy(loop::runForever)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(loop::runOnce).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.run(() -> 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.runUntilComplete(LoopFuture.completed(null, 1)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(loop::start).isInstanceOf(IllegalStateException.class);
        assertThat(loop.isRunning()).isFalse();
    }

    @Test
    void aClosedLoopTakesNothing(EventLoop loop) {
        loop.close();
        assertThatThrownBy(() -> loop.callSoon(() -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.callLater(Duration.ZERO, () -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.callAt(0, () -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.spawn(() -> 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(loop::backendFd).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(loop::backendTimeout).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new UvTimer(loop.uv())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.uv().now()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.net().listen("127.0.0.1", 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void handlesOfAClosedLoopCanBeCancelled(EventLoop loop) {
        var call = loop.callSoon(() -> {});
        var timer = loop.callLater(Duration.ofHours(1), () -> {});
        loop.close();
        call.cancel();
        timer.cancel();
        assertThat(timer.isCancelled()).isTrue();
    }

    @Test
    void whatAnyThreadMayAskIsAnsweredAfterTheEnd(EventLoop loop, Errors errors) {
        loop.close();
        assertThat(loop.isRunning()).isFalse();
        assertThat(loop.taskCount()).isZero();
        assertThat(loop.currentTask()).isNull();
        assertThat(loop.createFuture().isDone()).isFalse();
        assertThat(loop.time()).isNotZero();
        assertThat(loop.options()).isNotNull();
        loop.callExceptionHandler(new ExceptionContext("x", new Exception(), null, null));
        assertThat(errors.take()).hasSize(1);
    }

    @Test
    void runsWhatWasQueuedAndPosted(EventLoop loop) throws Exception {
        loop.callSoon(() -> order.add("queued"));
        Thread.ofPlatform()
                .start(() -> loop.post(() -> {
                    order.add("posted");
                    loop.callSoon(() -> order.add("queued while it closes"));
                }))
                .join();
        loop.close();
        assertThat(order).containsExactly("queued", "posted", "queued while it closes");
    }

    @Test
    void endsAlthoughCallbacksQueueThemselves(EventLoop loop, Errors errors) {
        var again = new Runnable[2];
        again[0] = () -> loop.callSoon(again[0]);
        again[1] = () -> loop.post(again[1]);
        loop.callSoon(again[0]);
        loop.post(again[1]);
        loop.close();
        assertThat(loop.isClosed()).isTrue();
        assertThat(errors.take())
                .allSatisfy(context -> assertThat(context.exception()).isInstanceOf(RejectedExecutionException.class));
    }

    @Test
    void timersThatAreNotDueDoNotFire(EventLoop loop) {
        loop.callLater(Duration.ofHours(1), () -> order.add("timer"));
        loop.close();
        assertThat(order).isEmpty();
    }

    @Test
    @Tag("cells")
    void cancelsTasksAndWaitsForTheirEnd(EventLoop loop) {
        var cleanUp = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                loop.createFuture().await();
            } finally {
                loop.callSoon(() -> cleanUp.complete("x"));
                order.add(cleanUp.await());
            }
        });
        loop.runOnce();
        loop.close();
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("x");
    }

    @Test
    void cancelsTasksThatOthersStartWhileTheyEnd(EventLoop loop) {
        var late = new ArrayList<Task<?>>();
        loop.spawn(() -> {
            try {
                loop.createFuture().await();
            } finally {
                late.add(loop.spawn(() -> loop.createFuture().await()));
            }
        });
        loop.runOnce();
        loop.close();
        assertThat(late)
                .singleElement()
                .satisfies(task -> assertThat(task.isCancelled()).isTrue());
    }

    @Test
    void cancelsTasksThatWereSubmittedBefore(EventLoop loop) throws Exception {
        var submitted = new AtomicReference<LoopFuture<Object>>();
        Thread.ofPlatform()
                .start(() -> submitted.set(loop.submit(() -> loop.createFuture().await())))
                .join();
        loop.close();
        assertThat(submitted.get().isCancelled()).isTrue();
    }

    @Test
    void doesNotBlockWhenTheLimitPassesInATurn(EventLoop unused) {
        var limit = Duration.ofMillis(20);
        var loop = EventLoop.create(LoopOptions.defaults().closeTimeout(limit).cancelGrace(Duration.ofDays(1)));
        loop.exceptionHandler(context -> order.add("reported"));
        loop.spawn("stubborn", () -> {
            try {
                loop.createFuture().await();
            } catch (CancellationException e) {
                long end = System.nanoTime() + 2 * limit.toNanos();
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                loop.createFuture().await();
            }
        });
        loop.runOnce();
        loop.close();
        assertThat(order).containsExactly("reported");
    }

    @Test
    void reportsATaskThatDoesNotEndAndEndsItsFuture(EventLoop unused) {
        var reports = new ArrayList<ExceptionContext>();
        var loop = EventLoop.create(LoopOptions.defaults().closeTimeout(Duration.ofMillis(50)));
        loop.exceptionHandler(reports::add);
        var task = loop.spawn("stubborn", () -> {
            while (true) {
                try {
                    loop.createFuture().await();
                } catch (CancellationException e) {
                    order.add("ignored");
                }
            }
        });
        loop.runOnce();
        loop.close();
        assertThat(loop.isClosed()).isTrue();
        assertThat(order).containsExactly("ignored");
        assertThat(reports)
                .singleElement()
                .satisfies(context -> assertThat(context.message()).contains("stubborn"));
        assertThat(task.isCancelled()).as("nobody waits for it for ever").isTrue();
    }

    @Test
    void closesEverythingThatIsOpen(EventLoop loop) throws Exception {
        var connected = loop.<String>createFuture();
        loop.spawn(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var client = loop.net().openConnection("127.0.0.1", listener.port());
                    var server = listener.accept()) {
                connected.complete(client + " " + server);
                loop.createFuture().await();
            }
        });
        loop.runUntilComplete(connected);
        var timer = new UvTimer(loop.uv());
        timer.start(() -> order.add("timer"), 60_000, 60_000);
        loop.callLater(Duration.ofHours(1), () -> {});
        loop.runInExecutor(() -> 1);
        loop.close();
        assertThat(timer.isClosing()).isTrue();
        assertThat(order).isEmpty();
    }

    @Test
    void aWorkerThatEndsLaterIsQuiet(EventLoop loop) throws Exception {
        var release = new AtomicBoolean();
        var worker = new CompletableFuture<Thread>();
        var future = loop.runInExecutor(() -> {
            worker.complete(Thread.currentThread());
            while (!release.get()) {
                Thread.onSpinWait();
            }
            return "x";
        });
        future.onDone(() -> order.add("callback"));
        worker.join();
        loop.close();
        assertThat(future.isCancelled()).isTrue();
        release.set(true);
        worker.join().join();
        assertThat(future.isCancelled()).isTrue();
        assertThat(order).containsExactly("callback");
    }

    @Test
    void fromInsideIsRefused(EventLoop loop) throws Exception {
        assertThatThrownBy(() -> loop.run(loop::close))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("running");
        try (var other = EventLoop.create().start()) {
            assertThatThrownBy(() -> other.submit(other::close).await()).isInstanceOf(IllegalStateException.class);
            assertThat(other.submit(() -> 1).await()).as("it goes on").isEqualTo(1);
        }
    }

    @Test
    void ofALoopThatRunsElsewhereIsRefused(EventLoop loop) throws Exception {
        var running = new CountDownLatch(1);
        loop.callSoon(running::countDown);
        var thread = Thread.ofPlatform().start(loop::runForever);
        running.await();
        assertThatThrownBy(loop::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stop it first");
        loop.stop();
        thread.join();
        loop.close();
        assertThat(loop.isClosed()).isTrue();
    }

    @Test
    void worksFromAVirtualThread(EventLoop loop) throws Exception {
        var task = loop.spawn(() -> loop.createFuture().await());
        loop.runOnce();
        Thread.ofVirtual().start(loop::close).join();
        assertThat(loop.isClosed()).isTrue();
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void worksFromATaskOfAnotherLoop(EventLoop loop) throws Exception {
        var other = EventLoop.create().start();
        other.submit(() -> other.createFuture().await());
        loop.run(other::close);
        assertThat(other.isClosed()).isTrue();
    }

    @Test
    void keepsTheInterruptOfItsCaller(EventLoop unused) {
        var loop = EventLoop.create().start();
        Thread.currentThread().interrupt();
        loop.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(loop.isClosed()).isTrue();
    }

    @Test
    void aClosedLoopCanBeCollected(EventLoop unused) throws Exception {
        var reference = new WeakReference<>(used());
        for (int i = 0; i < 500 && reference.get() != null; i++) {
            System.gc();
        }
        assertThat(reference.get()).isNull();
    }

    private static EventLoop used() throws Exception {
        try (var loop = EventLoop.create()) {
            loop.run(() -> loop.spawn(() -> 1).await());
            return loop;
        }
    }

    @Test
    void whatNobodyRefersToWorksAllTheSame(EventLoop loop) {
        loop.callLater(Duration.ofMillis(5), () -> order.add("timer"));
        new UvTimer(loop.uv()).start(() -> order.add("libuv's timer"), 5, 0);
        var watch = new Runnable[1];
        watch[0] = () -> {
            if (order.size() == 2) {
                loop.stop();
            } else {
                loop.callLater(Duration.ofMillis(1), watch[0]);
            }
        };
        loop.callSoon(watch[0]);
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        loop.runForever();
        assertThat(order).containsExactlyInAnyOrder("libuv's timer", "timer");
        loop.close();
    }
}
