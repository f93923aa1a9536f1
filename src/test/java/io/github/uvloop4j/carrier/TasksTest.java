package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.uv.UvPrepare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What tasks do whatever they ride on. */
@Timeout(60)
class TasksTest {
    private static EventLoop create(TaskMode mode) {
        Assumptions.assumeTrue(mode == TaskMode.BATON || Schedulers.available(), Schedulers.reason());
        return EventLoop.create(LoopOptions.defaults().tasks(LoopOptions.Tasks.valueOf(mode.name())));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cells")
    void taskIsOnTheLoop(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            loop.run(() -> {
                assertThat(loop.inLoop()).isTrue();
                assertThat(EventLoop.current()).isSameAs(loop);
                assertThat(Task.current()).isNotNull().isSameAs(loop.currentTask());
                assertThat(Thread.currentThread().isVirtual()).isTrue();
                assertThat(loop.tasksRideOnLoop()).isEqualTo(mode == TaskMode.CARRIER);
            });
            assertThat(loop.taskCount()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadOfAParkedTaskIsNotOnTheLoop(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            var task = loop.spawn("named", () -> loop.createFuture().await());
            loop.runOnce();
            assertThat(task.thread().getName()).isEqualTo("uvloop4j/named");
            assertThat(loop.currentTask()).isNull();
            var seen = Collections.synchronizedList(new ArrayList<Boolean>());
            Thread.ofVirtual().start(() -> seen.add(loop.inLoop())).join();
            assertThat(seen).containsExactly(false);
            assertThat(loop.taskCount()).isEqualTo(1);
            task.cancel();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tasksTakeTurnsAtTheirAwaits(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            var order = new ArrayList<String>();
            loop.run(() -> {
                var a = loop.spawn(() -> alternate(loop, "a", order));
                var b = loop.spawn(() -> alternate(loop, "b", order));
                a.await();
                b.await();
            });
            assertThat(order).containsExactly("a", "b", "a", "b", "a", "b");
        }
    }

    private static void alternate(EventLoop loop, String name, List<String> order) throws Exception {
        for (int i = 0; i < 3; i++) {
            order.add(name);
            nextTurn(loop);
        }
    }

    private static void nextTurn(EventLoop loop) throws Exception {
        var turn = loop.<Boolean>createFuture();
        loop.callSoon(() -> turn.complete(true));
        turn.await();
    }

    @ParameterizedTest
    @EnumSource
    void tasksAndCallbacksNeverRunAtTheSameTime(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            var inside = new AtomicInteger();
            var most = new AtomicInteger();
            loop.run(() -> {
                var tasks = new ArrayList<Task<?>>();
                for (int i = 0; i < 20; i++) {
                    tasks.add(loop.spawn(() -> {
                        for (int round = 0; round < 100; round++) {
                            enterAndLeave(inside, most);
                            loop.callSoon(() -> enterAndLeave(inside, most));
                            var woken = loop.<Boolean>createFuture();
                            if (round % 4 == 0) {
                                Thread.ofVirtual().start(() -> woken.complete(true));
                            } else {
                                loop.callSoon(() -> woken.complete(true));
                            }
                            woken.await();
                        }
                    }));
                }
                for (var task : tasks) {
                    task.await();
                }
            });
            assertThat(most).hasValue(1);
        }
    }

    private static void enterAndLeave(AtomicInteger inside, AtomicInteger most) {
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        for (int i = 0; i < 100; i++) {
            Thread.onSpinWait();
        }
        inside.decrementAndGet();
    }

    @ParameterizedTest
    @EnumSource
    void everyUnparkFromOtherThreadsIsSeen(TaskMode mode) throws Exception {
        int rounds = 2_000;
        try (var loop = create(mode)) {
            var sent = new AtomicInteger();
            var seen = loop.<Integer>run(() -> {
                var task = Task.current();
                assertThat(task).isNotNull();
                for (int i = 0; i < 2; i++) {
                    Thread.ofPlatform().daemon().start(() -> {
                        for (int round = 0; round < rounds; round++) {
                            sent.incrementAndGet();
                            task.unpark();
                        }
                    });
                }
                while (sent.get() < 2 * rounds) {
                    task.park();
                }
                return sent.get();
            });
            assertThat(seen).isEqualTo(2 * rounds);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unparkBeforeParkIsKept(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            assertThat(loop.<Boolean>run(() -> {
                        var task = Task.current();
                        assertThat(task).isNotNull();
                        task.unpark();
                        task.park();
                        return true;
                    }))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptedTaskThatAwaitsDoesNotSpinTheLoop(TaskMode mode) throws Exception {
        try (var loop = create(mode);
                var turns = new UvPrepare(loop.uv())) {
            var count = new AtomicInteger();
            turns.start(count::incrementAndGet);
            var interrupted = loop.<Boolean>run(() -> {
                var over = loop.<Boolean>createFuture();
                loop.callLater(Duration.ofMillis(100), () -> over.complete(true));
                Thread.currentThread().interrupt();
                over.await();
                return Thread.currentThread().isInterrupted();
            });
            assertThat(interrupted).isTrue();
            assertThat(count.get()).isLessThan(20);
        }
    }

    @ParameterizedTest
    @EnumSource
    void taskInterruptedWhileItAwaitsDoesNotSpinTheLoop(TaskMode mode) throws Exception {
        try (var loop = create(mode);
                var turns = new UvPrepare(loop.uv())) {
            var count = new AtomicInteger();
            turns.start(count::incrementAndGet);
            loop.run(() -> {
                var over = loop.<Boolean>createFuture();
                var task = loop.spawn(() -> over.await());
                loop.callLater(Duration.ofMillis(100), () -> over.complete(true));
                nextTurn(loop);
                task.thread().interrupt();
                assertThat(task.await()).isTrue();
            });
            assertThat(count.get()).isLessThan(20);
        }
    }

    @ParameterizedTest
    @EnumSource
    void awaitAtTheBottomOfADeepStack(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            assertThat(loop.<Integer>run(() -> deep(loop, 2_000))).isEqualTo(2_000);
        }
    }

    private static int deep(EventLoop loop, int depth) throws Exception {
        if (depth == 0) {
            nextTurn(loop);
            return 0;
        }
        return 1 + deep(loop, depth - 1);
    }

    @ParameterizedTest
    @EnumSource
    void stackOverflowEndsTheTaskOnly(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            assertThatThrownBy(() -> loop.<Integer>run(() -> endless(0))).isInstanceOf(StackOverflowError.class);
            assertThat(loop.<Integer>run(() -> 1)).isEqualTo(1);
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int endless(int depth) {
        return 1 + endless(depth + 1);
    }

    @ParameterizedTest
    @EnumSource
    void tenThousandParkedTasks(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            var ended = loop.<Integer>run(() -> {
                var gate = loop.<Boolean>createFuture();
                var tasks = new ArrayList<Task<Boolean>>();
                for (int i = 0; i < 10_000; i++) {
                    tasks.add(loop.spawn(() -> gate.await()));
                }
                nextTurn(loop);
                nextTurn(loop);
                assertThat(loop.taskCount()).isEqualTo(10_001);
                gate.complete(true);
                int count = 0;
                for (var task : tasks) {
                    count += task.await() ? 1 : 0;
                }
                return count;
            });
            assertThat(ended).isEqualTo(10_000);
            assertThat(loop.taskCount()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void taskThatNobodyRefersToGoesOn(TaskMode mode) throws Exception {
        try (var loop = create(mode)) {
            var ended = loop.<Boolean>createFuture();
            loop.run(() -> {
                loop.spawn(() -> {
                    var timer = loop.<Boolean>createFuture();
                    loop.callLater(Duration.ofMillis(20), () -> timer.complete(true));
                    ended.complete(timer.await());
                });
                nextTurn(loop);
                System.gc();
                ended.await();
            });
            assertThat(ended.result()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closeCancelsParkedTasks(TaskMode mode) throws Exception {
        Task<?> task;
        try (var loop = create(mode)) {
            task = loop.spawn(() -> loop.createFuture().await());
            loop.runOnce();
        }
        assertThat(task.isCancelled()).isTrue();
        task.thread().join();
    }

    @ParameterizedTest
    @EnumSource
    void yieldLetsOthersRun(TaskMode mode) throws Exception {
        Assumptions.assumeTrue(mode == TaskMode.CARRIER, "a baton is given back at the loop's own awaits");
        try (var loop = create(mode)) {
            var order = new ArrayList<String>();
            loop.run(() -> {
                loop.callSoon(() -> order.add("callback"));
                Thread.yield();
                order.add("yielded");
            });
            assertThat(order).containsExactly("callback", "yielded");
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockSupportOfTheJdkWakesATask(TaskMode mode) throws Exception {
        Assumptions.assumeTrue(mode == TaskMode.CARRIER, "a baton is given back at the loop's own awaits");
        try (var loop = create(mode)) {
            var task = loop.spawn(() -> {
                LockSupport.park();
                return loop.inLoop();
            });
            loop.runOnce();
            LockSupport.unpark(task.thread());
            assertThat(loop.runUntilComplete(task)).isTrue();
        }
    }
}
