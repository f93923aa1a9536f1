package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that are tasks of a loop. */
@Timeout(60)
class LoopThreadsTest {
    private final CountDownLatch never = new CountDownLatch(1);
    private EventLoop loop;
    private ThreadFactory factory;

    @BeforeEach
    void start() {
        loop = EventLoop.create().start();
        factory = loop.threadFactory();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private Object awaitForEver() {
        try {
            return loop.createFuture().await();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("cells")
    void theBodyIsATaskOfTheLoop() throws Exception {
        var seen = new CompletableFuture<List<Object>>();
        var thread = factory.newThread(() -> {
            try {
                seen.complete(List.of(
                        EventLoop.current(),
                        loop.inLoop(),
                        Task.current().thread(),
                        loop.runInExecutor(() -> "x").await()));
            } catch (Exception e) {
                seen.completeExceptionally(e);
            }
        });
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
        assertThat(thread.isVirtual()).isTrue();
        assertThat(loop.taskCount()).isZero();
        thread.start();
        assertThat(seen.get()).containsExactly(loop, true, thread, "x");
        thread.join();
        Until.holds("it is no task any more", () -> loop.taskCount() == 0);
    }

    @Test
    void aThreadStartsOnce() throws Exception {
        var ran = new AtomicInteger();
        var thread = factory.newThread(ran::incrementAndGet);
        thread.start();
        thread.join();
        assertThatThrownBy(thread::start).isInstanceOf(IllegalThreadStateException.class);
        assertThat(ran.get()).isEqualTo(1);
    }

    @Test
    @Tag("cells")
    void anyThreadMayStartIt() throws Exception {
        try (var other = EventLoop.create().start()) {
            var ran = new CountDownLatch(5);
            Runnable start = () -> factory.newThread(ran::countDown).start();
            start.run();
            Thread.ofVirtual().start(start).join();
            loop.post(start);
            loop.submit(start::run).get();
            other.submit(start::run).get();
            ran.await();
        }
    }

    @Test
    void aLoopThatRestsRunsItLater() throws Exception {
        try (var resting = EventLoop.create()) {
            var ran = new AtomicInteger();
            var thread = resting.threadFactory().newThread(ran::incrementAndGet);
            thread.start();
            assertThat(ran.get()).isZero();
            resting.run(() -> {});
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    @Test
    @Tag("carrier")
    void aJdkCallThatParksLeavesTheLoopFree() throws Exception {
        var latch = new CountDownLatch(1);
        var first = factory.newThread(() -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        first.start();
        factory.newThread(latch::countDown).start();
        first.join();
    }

    // Executors

    @Test
    @Tag("carrier")
    void servesAnExecutorWithAThreadForEachTask() throws Exception {
        var futures = new ArrayList<Future<Boolean>>();
        try (var executor = Executors.newThreadPerTaskExecutor(factory)) {
            for (int i = 0; i < 100; i++) {
                futures.add(executor.submit(() -> {
                    Thread.sleep(1);
                    return Task.current() != null && EventLoop.current() == loop;
                }));
            }
        }
        assertThat(futures).allMatch(Future::resultNow);
    }

    @Test
    @Tag("cells")
    void servesAnExecutorWhoseWorkAwaits() throws Exception {
        var futures = new ArrayList<Future<Integer>>();
        try (var executor = Executors.newThreadPerTaskExecutor(factory)) {
            for (int i = 0; i < 100; i++) {
                int number = i;
                futures.add(
                        executor.submit(() -> loop.runInExecutor(() -> number).await()));
            }
        }
        assertThat(futures.stream().mapToInt(Future::resultNow).sum()).isEqualTo(4950);
    }

    @Test
    @Tag("carrier")
    void aPoolGoesOnAfterAnInterruptedAwait() throws Exception {
        try (var pool = Executors.newFixedThreadPool(1, factory)) {
            var begun = new CountDownLatch(1);
            var first = pool.submit(() -> {
                begun.countDown();
                awaitForEver();
            });
            begun.await();
            first.cancel(true);
            assertThat(pool.submit(() -> loop.runInExecutor(() -> "x").await()).get())
                    .isEqualTo("x");
        }
    }

    /** The scope is a preview of JDK 25, which only a JVM of its own switches on. */
    @Test
    @Tag("carrier")
    void servesAStructuredTaskScope() throws Exception {
        var source = Path.of(System.getProperty("basedir", ""), "src", "test", "consumers", "preview", "Scopes.java");
        var command = new ArrayList<String>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-preview",
                "--source",
                "25",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        var libuv = System.getProperty("uvloop4j.libuv");
        if (libuv != null) {
            command.add("-Duvloop4j.libuv=" + libuv);
        }
        command.add(source.toString());
        var child = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return e.toString();
            }
        });
        if (!child.waitFor(50, TimeUnit.SECONDS)) {
            child.destroyForcibly();
        }
        assertThat(output.get().lines())
                .contains(
                        "from outside [0metrue, 1metrue, 2metrue]",
                        "from a task [0metrue, 1metrue, 2metrue]",
                        "first failure broken, sibling cancelled",
                        "tasks left 1");
    }

    // Interrupts, cancels, failures

    @Test
    @Tag("carrier")
    void anInterruptEndsAJdkCall() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        var thread = factory.newThread(() -> {
            begun.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        begun.await();
        thread.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    @Tag("cells")
    void anInterruptEndsAnAwait() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        var thread = factory.newThread(() -> {
            begun.countDown();
            try {
                awaitForEver();
            } catch (CancellationException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        begun.await();
        thread.interrupt();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    }

    @Test
    @Tag("cells")
    void anInterruptEndsAPark() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        var thread = factory.newThread(() -> {
            begun.countDown();
            try {
                while (true) {
                    Task.current().park();
                }
            } catch (CancellationException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        begun.await();
        thread.interrupt();
        assertThat(thrown.get()).hasMessageContaining("interrupted");
    }

    @Test
    @Tag("cells")
    void anInterruptBeforeTheStartEndsTheFirstAwait() throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        var thread = factory.newThread(() -> {
            Thread.currentThread().interrupt();
            try {
                awaitForEver();
            } catch (CancellationException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    }

    @Test
    void whatTheBodyThrowsGoesToTheThreadsHandler() throws Exception {
        var failure = new IllegalStateException("broken");
        var seen = new CompletableFuture<Throwable>();
        var thread = factory.newThread(() -> {
            throw failure;
        });
        thread.setUncaughtExceptionHandler((where, error) -> {
            assertThat(where).isSameAs(thread);
            seen.complete(error);
            throw new IllegalStateException("a broken handler");
        });
        thread.start();
        assertThat(seen.get()).isSameAs(failure);
        thread.join();
        assertThat(loop.submit(() -> "x").get()).isEqualTo("x");
    }

    @Test
    @Tag("cells")
    void closingTheLoopCancelsThem() throws Exception {
        var begun = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        var unhandled = new AtomicInteger();
        var thread = factory.newThread(() -> {
            begun.countDown();
            try {
                awaitForEver();
            } catch (CancellationException e) {
                thrown.complete(e);
                throw e;
            }
        });
        thread.setUncaughtExceptionHandler((where, error) -> unhandled.incrementAndGet());
        thread.start();
        begun.await();
        loop.close();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
        thread.join();
        assertThat(unhandled.get()).isZero();
    }

    @Test
    @Tag("cells")
    void aBodyThatWasStartedRunsEvenIfItsLoopIsClosedFirst() throws Exception {
        var resting = EventLoop.create();
        var thrown = new CompletableFuture<Throwable>();
        var thread = resting.threadFactory().newThread(() -> {
            try {
                resting.createFuture().await();
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        thread.start();
        resting.close();
        assertThat(thrown.get()).isInstanceOfAny(CancellationException.class, InterruptedException.class);
        thread.join();
    }

    @Test
    void startsThatRaceTheCloseEitherRunOrFail() throws Exception {
        for (int round = 0; round < 100; round++) {
            var closing = EventLoop.create().start();
            var threads = closing.threadFactory();
            var ran = new AtomicInteger();
            var started = new ArrayList<Thread>();
            var begun = new CountDownLatch(1);
            var starter = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 500; i++, begun.countDown()) {
                        var thread = threads.newThread(ran::incrementAndGet);
                        thread.start();
                        started.add(thread);
                    }
                } catch (RejectedExecutionException e) {
                    // So it ends.
                }
            });
            begun.await();
            closing.close();
            starter.join();
            for (var thread : started) {
                thread.join();
            }
            assertThat(ran.get()).isEqualTo(started.size());
        }
    }

    @Test
    void aClosedLoopMakesAndStartsNoThreads() {
        var thread = factory.newThread(() -> {});
        loop.close();
        assertThatThrownBy(() -> factory.newThread(() -> {})).isInstanceOf(RejectedExecutionException.class);
        if (loop.tasksRideOnLoop()) {
            assertThatThrownBy(thread::start).isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void refusesNull() {
        assertThatThrownBy(() -> factory.newThread(null)).isInstanceOf(NullPointerException.class);
        assertThat(LoopContext.current()).isNull();
    }
}
