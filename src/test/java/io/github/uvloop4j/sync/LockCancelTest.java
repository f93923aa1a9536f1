package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lock whose waiters are cancelled, or whose owner ends without a release. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LockCancelTest {
    private final Lock lock = new Lock();
    private final ArrayList<String> order = new ArrayList<>();

    private Task<?> waiter(EventLoop loop, String name) {
        return loop.spawn(name, () -> {
            lock.acquire();
            order.add(name);
            lock.release();
        });
    }

    /** A task that holds the lock until the future it is given is done. */
    private Task<?> owner(EventLoop loop, LoopFuture<Boolean> gate) {
        var task = loop.spawn("owner", () -> {
            try (var _ = lock.hold()) {
                gate.await();
            }
        });
        Turns.of(loop);
        return task;
    }

    @Test
    @Tag("cells")
    void aHandOverToACancelledTaskGoesToTheNext(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        var first = waiter(loop, "first");
        waiter(loop, "second");
        waiter(loop, "third");
        Turns.of(loop);
        loop.callSoon(() -> gate.complete(true));
        // The owner's last step hands it over; the first waiter, which runs in the turn after, is cancelled before.
        while (lock.owner() != first) {
            loop.runOnce();
        }
        assertThat(first.isDone()).isFalse();
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("second", "third");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void aHandOverToACancelledTaskAloneFreesIt(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        var first = waiter(loop, "first");
        Turns.of(loop);
        gate.complete(true);
        while (lock.owner() != first) {
            loop.runOnce();
        }
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void aCancelledWaiterLeavesTheQueue(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        waiter(loop, "first");
        var second = waiter(loop, "second");
        waiter(loop, "third");
        Turns.of(loop);
        second.cancel();
        Turns.of(loop);
        assertThat(second.isCancelled()).isTrue();
        assertThat(lock.waiting()).isEqualTo(2);
        gate.complete(true);
        Turns.of(loop);
        assertThat(order).containsExactly("first", "third");
    }

    @Test
    @Tag("cells")
    void aReleaseOfTheTurnInWhichTheTimeIsOverWins(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        var timed = loop.spawn(() -> {
            lock.acquire(Turns.LIMIT);
            order.add("acquired");
            lock.release();
        });
        loop.runOnce();
        Turns.pastLimit();
        gate.complete(true);
        Turns.of(loop);
        assertThat(timed.failureOrNull()).isNull();
        assertThat(order).containsExactly("acquired");
    }

    @Test
    void aCancelOfTheSameTurnAsTheEndOfTheTimeWins(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        var timed = loop.spawn(() -> lock.acquire(Turns.LIMIT));
        loop.runOnce();
        Turns.pastLimit();
        timed.cancel();
        while (!timed.isDone()) {
            loop.runOnce();
        }
        assertThat(timed.isCancelled()).isTrue();
        assertThat(lock.waiting()).isZero();
        gate.complete(true);
        Turns.of(loop);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void manyWaitersCancelledFromTheLastToTheFirstAllLeave(EventLoop loop) throws Exception {
        int many = 2_000;
        loop.run(() -> {
            lock.acquire();
            var tasks = new ArrayList<Task<?>>(many);
            for (int i = 0; i < many; i++) {
                tasks.add(loop.spawn(() -> lock.acquire()));
            }
            var turn = loop.<Boolean>createFuture();
            loop.callSoon(() -> turn.complete(true));
            turn.await();
            assertThat(lock.waiting()).isEqualTo(many);
            for (var task : tasks.reversed()) {
                task.cancel();
            }
            while (lock.waiting() > 0) {
                var next = loop.<Boolean>createFuture();
                loop.callSoon(() -> next.complete(true));
                next.await();
            }
            assertThat(lock.waiting()).isZero();
            lock.release();
            assertThat(lock.isLocked()).isFalse();
            assertThat(tasks).allMatch(Task::isCancelled);
        });
    }

    @Test
    @Tag("cells")
    void thoseWhoWaitForATaskThatEndsWithoutAReleaseAreTold(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        loop.spawn("careless", () -> {
            lock.acquire();
            gate.await();
        });
        Turns.of(loop);
        var first = waiter(loop, "first");
        var second = waiter(loop, "second");
        Turns.of(loop);
        gate.complete(true);
        Turns.of(loop);
        for (var task : new Task<?>[] {first, second}) {
            assertThat(task.failureOrNull())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("careless");
        }
        var later = waiter(loop, "later");
        Turns.of(loop);
        assertThat(later.failureOrNull())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("careless");
        assertThat(order).isEmpty();
        assertThat(Owners.size()).isZero();
    }

    @Test
    void ownersAreForgottenWhenTheyEnd(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        owner(loop, gate);
        for (int i = 0; i < 10; i++) {
            waiter(loop, "waiter " + i);
        }
        Turns.of(loop);
        assertThat(Owners.size()).isPositive();
        gate.complete(true);
        for (int i = 0; i < 30; i++) {
            loop.runOnce();
        }
        assertThat(order).hasSize(10);
        assertThat(Owners.size()).isZero();
    }

    @Test
    void closingTheLoopCancelsThoseWhoWait(EventLoop loop) {
        var gate = loop.<Boolean>createFuture();
        var owner = owner(loop, gate);
        var first = waiter(loop, "first");
        Turns.of(loop);
        loop.close();
        assertThat(owner.isCancelled()).isTrue();
        assertThat(first.isCancelled()).isTrue();
    }
}
