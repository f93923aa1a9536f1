package io.github.uvloop4j.guard;

import static io.github.uvloop4j.guard.Checks.check;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.testing.CapturedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/** What scopes promise, each checked on loops of its own. */
final class ScopesMain {
    private static final Probes.Probe SLEEP = () -> Thread.sleep(1);

    private ScopesMain() {}

    public static void main(String[] args) throws Exception {
        var file = Files.writeString(Path.of(args[0], "file"), "text");
        check("nested guards close in any order", ScopesMain::anyOrder);
        check("a guard of one loop leaves others alone", ScopesMain::oneLoop);
        check("a guard of all loops covers those that start later", ScopesMain::laterLoop);
        check("other threads may block", ScopesMain::otherThreads);
        check(
                "forThisLoop needs a loop",
                () -> assertThatThrownBy(BlockingGuard::forThisLoop)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("not on the thread of a loop"));
        check("two threads open and close at once", ScopesMain::twoThreads);
        check("an exception inside is passed on", ScopesMain::exceptions);
        check("the call is not made", () -> notMade(Path.of(args[0], "never")));
        check("the error says what and where", () -> message(file));
        check("count only counts", () -> counts(file));
        check("one call counts once", ScopesMain::countsOnce);
        check("the strictest of two guards decides", ScopesMain::strictest);
        check("allowing lets it pass, and nests", () -> allowing(file));
        check("allowing in a task is of that task only", () -> allowingInTasks(file));
        check("a class may be allowed", () -> allowed(file));
        check("a lock stays usable after its wait was refused", ScopesMain::locks);
        check("a queue loses nothing after its wait was refused", ScopesMain::queues);
        check("a task that was refused fails with the error", () -> failedTask(file));
        check("the loop goes on after an error", ScopesMain::loopGoesOn);
        check("a guard opens and closes in a task", () -> inTask(file));
        check("log warns once for each place", ScopesMain::logs);
        check("what closes twice closes once", ScopesMain::closesTwice);
        check("installed for good", ScopesMain::installed);
    }

    private static EventLoop loop() {
        return EventLoop.create(LoopOptions.defaults());
    }

    private static boolean raises(EventLoop loop) throws Exception {
        return OnLoop.raises(loop, SLEEP);
    }

    private static void anyOrder() throws Exception {
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        try (var loop = loop()) {
            for (var order : orders) {
                var guards = List.of(
                        BlockingGuard.forAllLoops(),
                        OnLoop.call(loop, BlockingGuard::forThisLoop),
                        BlockingGuard.forAllLoops());
                for (int which : order) {
                    assertThat(raises(loop)).isTrue();
                    guards.get(which).close();
                }
                assertThat(raises(loop)).isFalse();
            }
        }
    }

    private static void oneLoop() throws Exception {
        try (var loop = loop();
                var other = loop();
                var _ = OnLoop.call(loop, BlockingGuard::forThisLoop)) {
            assertThat(raises(other)).isFalse();
            assertThat(raises(loop)).isTrue();
        }
    }

    private static void laterLoop() throws Exception {
        try (var _ = BlockingGuard.forAllLoops();
                var loop = loop().start()) {
            var raised = new CompletableFuture<Boolean>();
            loop.post(() -> {
                try {
                    raised.complete(OnLoop.raisesHere(SLEEP));
                } catch (Exception e) {
                    raised.completeExceptionally(e);
                }
            });
            assertThat(raised.join()).isTrue();
        }
        var loop = loop();
        try (var _ = BlockingGuard.forAllLoops()) {
            assertThat(raises(loop)).isTrue();
            loop.close();
            assertThat(OnLoop.raisesHere(SLEEP)).isFalse();
        }
    }

    private static void otherThreads() throws Exception {
        try (var _ = BlockingGuard.forAllLoops();
                var loop = loop().start()) {
            SLEEP.run();
            var there = loop.runInExecutor(() -> OnLoop.raisesHere(SLEEP));
            assertThat(there.toCompletableFuture().join()).isFalse();
        }
    }

    private static void twoThreads() throws Exception {
        var failure = new AtomicReference<Throwable>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try (var loop = loop()) {
                    for (int round = 0; round < 5; round++) {
                        try (var _ = OnLoop.call(loop, BlockingGuard::forThisLoop)) {
                            assertThat(raises(loop)).isTrue();
                        }
                        assertThat(raises(loop)).isFalse();
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(BlockingGuard.report().hooked()).isEmpty();
    }

    private static void exceptions() throws Exception {
        var thrown = new IOException("of the test");
        try (var loop = loop()) {
            assertThatThrownBy(() -> OnLoop.call(loop, () -> {
                        try (var _ = BlockingGuard.forThisLoop()) {
                            throw thrown;
                        }
                    }))
                    .isSameAs(thrown);
            assertThat(raises(loop)).isFalse();
        }
    }

    private static void notMade(Path file) throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            assertThat(OnLoop.raises(loop, () -> Files.createFile(file))).isTrue();
        }
        assertThat(file).doesNotExist();
    }

    private static void message(Path file) throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            assertThatThrownBy(() -> OnLoop.call(loop, () -> Files.readString(file)))
                    .isInstanceOfSatisfying(BlockingCallError.class, error -> {
                        assertThat(error.call()).isEqualTo("java.nio.file.Files.readString");
                        assertThat(error.getStackTrace()[0].getClassName()).startsWith("sun.nio.fs");
                    })
                    .hasMessageContaining("java.nio.file.Files.readString would block the loop thread main")
                    .hasMessageContaining("ScopesMain.java:")
                    .hasMessageContaining("runInExecutor");
            assertThatThrownBy(() -> OnLoop.call(loop, () -> {
                        Thread.sleep(1);
                        return 1;
                    }))
                    .hasMessageContaining("java.lang.Thread.sleep would block")
                    .hasMessageContaining("call it in a task");
        }
    }

    private static void counts(Path file) throws Exception {
        try (var loop = loop();
                var guard = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
            assertThat(OnLoop.call(loop, () -> Files.readString(file))).isEqualTo("text");
            assertThat(guard.count()).isPositive();
            assertThat(guard.calls()).containsOnlyKeys("java.nio.file.Files.readString");
        }
    }

    private static void countsOnce() throws Exception {
        for (var probe :
                List.of("CountDownLatch.await", "ArrayBlockingQueue.poll", "CompletableFuture.join", "sleep(long)")) {
            try (var loop = loop();
                    var guard = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
                var body = Probes.parking().get(probe);
                assertThat(OnLoop.raises(loop, body)).isFalse();
                assertThat(guard.count()).as(probe).isEqualTo(1);
            }
        }
    }

    private static void strictest() throws Exception {
        try (var loop = loop();
                var counts = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
            try (var raises = BlockingGuard.forAllLoops()) {
                assertThat(raises(loop)).isTrue();
                assertThat(raises.count()).isEqualTo(1);
            }
            assertThat(raises(loop)).isFalse();
            assertThat(counts.count()).isEqualTo(2);
        }
    }

    private static void allowing(Path file) throws Exception {
        try (var loop = loop();
                var guard = BlockingGuard.forAllLoops()) {
            var text = OnLoop.call(loop, () -> {
                Guard.allowing(() -> Guard.allowing(() -> Thread.sleep(1)));
                return Guard.allowing(() -> {
                    Guard.allowing(() -> Thread.sleep(1));
                    return Files.readString(file);
                });
            });
            assertThat(text).isEqualTo("text");
            assertThat(guard.count()).isZero();
            assertThat(raises(loop)).isTrue();
        }
    }

    private static void allowingInTasks(Path file) throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            loop.run(() -> {
                if (!loop.tasksRideOnLoop()) {
                    return;
                }
                var other = loop.spawn(() -> OnLoop.raisesHere(() -> Files.size(file)));
                var here = Guard.allowing(() -> {
                    other.await();
                    return OnLoop.raisesHere(() -> Files.size(file));
                });
                assertThat(here).isFalse();
                assertThat(other.await()).isTrue();
            });
        }
    }

    /** A class whose author may block. */
    private static final class Legacy {
        static long size(Path file) throws IOException {
            return Files.size(file);
        }
    }

    private static void allowed(Path file) throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            assertThat(OnLoop.raises(loop, () -> Legacy.size(file))).isTrue();
            BlockingGuard.allow(Legacy.class.getName());
            assertThat(OnLoop.raises(loop, () -> Legacy.size(file))).isFalse();
            assertThat(OnLoop.raises(loop, () -> Files.size(file))).isTrue();
        }
    }

    private static void locks() throws Exception {
        var lock = new ReentrantLock();
        var condition = lock.newCondition();
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            lock.lock();
            var raised = new AtomicReference<Boolean>();
            var thread = Thread.ofPlatform().start(() -> {
                try (var own = loop()) {
                    raised.set(OnLoop.raises(own, lock::lock));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            thread.join();
            assertThat(raised.get()).isTrue();
            lock.unlock();
            assertThat(OnLoop.raises(loop, () -> {
                        lock.lock();
                        try {
                            condition.await();
                        } finally {
                            lock.unlock();
                        }
                    }))
                    .isTrue();
        }
        Thread.ofPlatform()
                .start(() -> {
                    lock.lock();
                    condition.signal();
                    lock.unlock();
                })
                .join();
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.hasQueuedThreads()).isFalse();
    }

    private static void queues() throws Exception {
        var handOver = new SynchronousQueue<Integer>();
        var transfers = new LinkedTransferQueue<Integer>();
        var blocking = new LinkedBlockingQueue<Integer>();
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            assertThat(OnLoop.raises(loop, handOver::take)).isTrue();
            assertThat(OnLoop.raises(loop, transfers::take)).isTrue();
            assertThat(OnLoop.raises(loop, blocking::take)).isTrue();
        }
        assertThat(handOver.offer(1)).isFalse();
        transfers.put(1);
        blocking.put(1);
        assertThat(transfers.poll()).isEqualTo(1);
        assertThat(blocking.poll()).isEqualTo(1);
    }

    private static void failedTask(Path file) throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            if (loop.tasksRideOnLoop()) {
                assertThatThrownBy(() -> loop.run(() -> Files.readString(file))).isInstanceOf(BlockingCallError.class);
            }
        }
    }

    private static void loopGoesOn() throws Exception {
        try (var loop = loop();
                var guard = BlockingGuard.forAllLoops()) {
            var told = new ArrayList<Throwable>();
            loop.exceptionHandler(context -> told.add(context.exception()));
            loop.post(() -> {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(OnLoop.call(loop, () -> 7)).isEqualTo(7);
            assertThat(told).hasSize(1).first().isInstanceOf(BlockingCallError.class);
            assertThat(guard.count()).isEqualTo(1);
        }
    }

    private static void inTask(Path file) throws Exception {
        try (var loop = loop()) {
            loop.run(() -> {
                try (var guard = BlockingGuard.forThisLoop()) {
                    Thread.sleep(1);
                    assertThat(guard.count()).isZero();
                    assertThat(OnLoop.raisesHere(() -> Files.size(file))).isEqualTo(loop.tasksRideOnLoop());
                }
                Files.size(file);
            });
        }
    }

    private static void logs() throws Exception {
        try (var log = new CapturedLog();
                var loop = loop();
                var guard = BlockingGuard.forAllLoops(GuardMode.LOG)) {
            OnLoop.call(loop, () -> {
                for (int i = 0; i < 5; i++) {
                    Thread.sleep(1);
                }
                Thread.sleep(1);
                return 1;
            });
            assertThat(guard.count()).isEqualTo(6);
            for (int i = 0; i < 2; i++) {
                assertThat(log.await("Thread.sleep blocks").getMessage()).startsWith(ScopesMain.class.getName());
            }
            LoopLog.info("the end");
            log.await(entry -> {
                assertThat(entry.getMessage()).isEqualTo("the end");
                return true;
            });
        }
    }

    private static void closesTwice() throws Exception {
        try (var loop = loop();
                var _ = BlockingGuard.forAllLoops()) {
            var guard = BlockingGuard.forAllLoops();
            guard.close();
            guard.close();
            assertThat(raises(loop)).isTrue();
        }
    }

    private static void installed() throws Exception {
        assertThatThrownBy(() -> BlockingGuard.install("sometimes")).hasMessageContaining("raise, log or count");
        BlockingGuard.install(GuardMode.RAISE);
        BlockingGuard.install(GuardMode.RAISE);
        try (var loop = loop()) {
            assertThat(raises(loop)).isTrue();
        }
    }
}
