package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waiting for what a lock protects. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConditionTest {
    private final Lock lock = new Lock();
    private final Condition condition = new Condition(lock);
    private final ArrayList<String> order = new ArrayList<>();

    private Task<?> waiter(EventLoop loop, String name) {
        return loop.spawn(name, () -> {
            try (var _ = lock.hold()) {
                condition.await();
                assertThat(lock.owner()).isSameAs(loop.currentTask());
                order.add(name);
            }
        });
    }

    private Task<?> signaller(EventLoop loop, int count) {
        return loop.spawn("signaller", () -> {
            try (var _ = lock.hold()) {
                condition.signal(count);
            }
        });
    }

    /** A task that holds the lock until a future is done. */
    private Task<?> holder(EventLoop loop, LoopFuture<Boolean> gate) {
        return loop.spawn("holder", () -> {
            try (var _ = lock.hold()) {
                gate.await();
            }
        });
    }

    @Test
    @Tag("cells")
    void aSignalWakesTheOneWhoWaitsLongest(EventLoop loop) {
        var tasks = List.of(waiter(loop, "a"), waiter(loop, "b"), waiter(loop, "c"), waiter(loop, "d"));
        Turns.of(loop);
        assertThat(condition.waiting()).isEqualTo(4);
        assertThat(lock.isLocked()).as("waiting releases it").isFalse();
        signaller(loop, 1);
        Turns.of(loop);
        assertThat(order).containsExactly("a");
        signaller(loop, 2);
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b", "c");
        signaller(loop, 0);
        Turns.of(loop);
        assertThat(tasks.getLast().isDone()).isFalse();
        signaller(loop, Integer.MAX_VALUE);
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b", "c", "d");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void signalAllWakesAllInTheirOrder(EventLoop loop) {
        waiter(loop, "a");
        waiter(loop, "b");
        waiter(loop, "c");
        Turns.of(loop);
        loop.spawn(() -> {
            try (var _ = lock.hold()) {
                condition.signalAll();
                assertThat(condition.waiting()).isZero();
            }
        });
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b", "c");
    }

    @Test
    void aSignalWithoutWaitersIsNotRemembered(EventLoop loop) {
        signaller(loop, 1);
        Turns.of(loop);
        var task = waiter(loop, "a");
        Turns.of(loop);
        assertThat(task.isDone()).isFalse();
        signaller(loop, 1);
        Turns.of(loop);
        assertThat(task.isDone()).isTrue();
    }

    @Test
    @Tag("cells")
    void aSignalToACancelledTaskGoesToTheNext(EventLoop loop) {
        var first = waiter(loop, "first");
        waiter(loop, "second");
        var third = waiter(loop, "third");
        Turns.of(loop);
        signaller(loop, 1);
        while (condition.waiting() == 3) {
            loop.runOnce();
        }
        assertThat(first.isDone()).isFalse();
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("second");
        signaller(loop, 1);
        Turns.of(loop);
        assertThat(third.isDone()).isTrue();
        assertThat(order).containsExactly("second", "third");
    }

    @Test
    void aCancelWithoutASignalWakesNobodyElse(EventLoop loop) {
        var first = waiter(loop, "first");
        var second = waiter(loop, "second");
        Turns.of(loop);
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(second.isDone()).isFalse();
        assertThat(condition.waiting()).isEqualTo(1);
        signaller(loop, 1);
        Turns.of(loop);
        assertThat(order).containsExactly("second");
    }

    @Test
    void aCancelledTaskHasTheLockWhenTheCancelArrives(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        var task = loop.spawn("waiter", () -> {
            lock.acquire();
            try {
                condition.await();
            } finally {
                order.add(lock.owner() == loop.currentTask() ? "holds it" : "does not hold it");
                lock.release();
            }
        });
        Turns.of(loop);
        holder(loop, gate);
        Turns.of(loop);
        task.cancel();
        Turns.of(loop);
        assertThat(task.isDone()).as("it waits for the lock").isFalse();
        task.cancel();
        Turns.of(loop);
        assertThat(task.isDone()).as("no second cancel hurries it").isFalse();
        gate.complete(true);
        Turns.of(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("holds it");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @Tag("cells")
    void aCancelWhileTheLockIsWaitedForArrivesWithTheLockAndPassesTheSignalOn(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        var task = loop.spawn("waiter", () -> {
            lock.acquire();
            try {
                condition.await();
                order.add("not here");
            } finally {
                order.add(lock.owner() == loop.currentTask() ? "holds it" : "does not hold it");
                lock.release();
            }
        });
        waiter(loop, "next");
        Turns.of(loop);
        loop.spawn("signaller", () -> {
            try (var _ = lock.hold()) {
                condition.signal();
                gate.await();
            }
        });
        Turns.of(loop);
        assertThat(lock.waiting()).as("woken, and waits for the lock").isEqualTo(1);
        task.cancel();
        Turns.of(loop);
        assertThat(task.isDone()).isFalse();
        gate.complete(true);
        Turns.of(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("holds it", "next");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void aLimitEndsTheWaitWithTheLock(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            assertThat(condition.await(Duration.ofMillis(1))).isFalse();
            assertThat(lock.owner()).isSameAs(loop.currentTask());
            assertThat(condition.await(Duration.ZERO)).isFalse();
            assertThat(lock.owner()).isSameAs(loop.currentTask());
            assertThat(condition.waiting()).isZero();
            lock.release();
        });
    }

    @Test
    void aSignalOfTheTurnInWhichTheTimeIsOverWins(EventLoop loop) throws Exception {
        var task = loop.spawn(() -> {
            try (var _ = lock.hold()) {
                return condition.await(Turns.LIMIT);
            }
        });
        loop.runOnce();
        signaller(loop, 1);
        Turns.pastLimit();
        Turns.of(loop);
        assertThat(task.result()).isTrue();
    }

    @Test
    void awaitUntilTestsAtOnceAndAfterEachSignal(EventLoop loop) {
        var items = new ArrayList<String>(List.of("x"));
        var task = loop.spawn(() -> {
            try (var _ = lock.hold()) {
                condition.awaitUntil(() -> !items.isEmpty());
                order.add("at once");
                items.clear();
                condition.awaitUntil(() -> items.size() == 2);
                order.add("two");
            }
        });
        Turns.of(loop);
        assertThat(order).containsExactly("at once");
        for (int i = 0; i < 2; i++) {
            assertThat(task.isDone()).isFalse();
            items.add("y");
            signaller(loop, 1);
            Turns.of(loop);
        }
        assertThat(order).containsExactly("at once", "two");
        assertThat(task.isDone()).isTrue();
    }

    @Test
    void awaitUntilWithALimitSaysWhetherTheConditionHolds(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var _ = lock.hold()) {
                assertThat(condition.awaitUntil(() -> false, Duration.ofMillis(1)))
                        .isFalse();
                assertThat(condition.awaitUntil(() -> true, Duration.ZERO)).isTrue();
                assertThat(condition.awaitUntil(() -> false, Duration.ZERO)).isFalse();
                assertThat(lock.owner()).isSameAs(loop.currentTask());
            }
        });
    }

    @Test
    void aTestThatThrowsLeavesTheLockWithTheTask(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var _ = lock.hold()) {
                assertThatThrownBy(() -> condition.awaitUntil(() -> {
                            throw new IllegalArgumentException("test");
                        }))
                        .hasMessage("test");
                assertThat(lock.owner()).isSameAs(loop.currentTask());
            }
        });
    }

    @Test
    void whoDoesNotHoldTheLockIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(condition::await)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessage("Condition.await() by task main, but the lock is free");
            assertThatThrownBy(() -> condition.awaitUntil(() -> true)).isInstanceOf(IllegalMonitorStateException.class);
            assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
            lock.acquire();
            var other = loop.spawn("other", condition::signalAll);
            assertThatThrownBy(other::await)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessage("Condition.signalAll() by task other, but the lock is held by task main");
            assertThatThrownBy(() -> condition.signal(-1)).isInstanceOf(IllegalArgumentException.class);
            lock.release();
        });
    }

    @Test
    void tellsHowManyWait(EventLoop loop) {
        var task = waiter(loop, "a");
        Turns.of(loop);
        assertThat(condition.statistics()).isEqualTo(new Condition.Statistics(1));
        assertThat(condition).hasToString("Condition[1 waiting, Lock[free, 0 waiting]]");
        assertThat(condition.lock()).isSameAs(lock);
        signaller(loop, 1);
        Turns.of(loop);
        assertThat(task.isDone()).isTrue();
    }
}
