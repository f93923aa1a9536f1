package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A flag that wakes all. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class EventTest {
    private final Event event = new Event();
    private final ArrayList<String> order = new ArrayList<>();

    private Task<?> waiter(EventLoop loop, String name) {
        return loop.spawn(name, () -> {
            event.await();
            order.add(name);
        });
    }

    @Test
    @Tag("cells")
    void wakesAllInTheirOrder(EventLoop loop) {
        waiter(loop, "a");
        waiter(loop, "b");
        Turns.of(loop);
        assertThat(order).isEmpty();
        assertThat(event.waiting()).isEqualTo(2);
        event.set();
        assertThat(event.isSet()).isTrue();
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b");
    }

    @Test
    void doesNotHoldUpThoseWhoComeLater(EventLoop loop) {
        event.set();
        event.set();
        var task = waiter(loop, "a");
        loop.runOnce();
        assertThat(task.isDone()).isTrue();
    }

    @Test
    @Tag("cells")
    void wakesThoseWhoWaitedEvenIfItIsClearedAtOnce(EventLoop loop) {
        waiter(loop, "a");
        Turns.of(loop);
        event.set();
        event.clear();
        var late = waiter(loop, "late");
        Turns.of(loop);
        assertThat(order).containsExactly("a");
        assertThat(event.isSet()).isFalse();
        assertThat(late.isDone()).isFalse();
        event.set();
        Turns.of(loop);
        assertThat(order).containsExactly("a", "late");
    }

    @Test
    void aCancelledWaiterDoesNotKeepTheOthersFromWaking(EventLoop loop) {
        var first = waiter(loop, "first");
        waiter(loop, "second");
        Turns.of(loop);
        event.set();
        event.clear();
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("second");
    }

    @Test
    void aCancelledWaiterLeaves(EventLoop loop) {
        var first = waiter(loop, "first");
        Turns.of(loop);
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(event.waiting()).isZero();
    }

    @Test
    void aLimitEndsTheWait(EventLoop loop) {
        var timed = loop.spawn(() -> event.await(Duration.ofMillis(1)));
        var zero = loop.spawn(() -> event.await(Duration.ZERO));
        while (!timed.isDone() || !zero.isDone()) {
            loop.runOnce();
        }
        assertThat(timed.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("PT0.001S");
        assertThat(zero.failureOrNull()).isInstanceOf(TimeoutException.class);
        assertThat(event.waiting()).isZero();
    }

    @Test
    void aSetOfTheTurnInWhichTheTimeIsOverWins(EventLoop loop) {
        var timed = loop.spawn(() -> event.await(Turns.LIMIT));
        loop.runOnce();
        Turns.pastLimit();
        event.set();
        event.clear();
        Turns.of(loop);
        assertThat(timed.isDone()).isTrue();
        assertThat(timed.failureOrNull()).isNull();
    }

    @Test
    void statisticsTellWhetherItIsSetAndHowManyWait(EventLoop loop) {
        var task = waiter(loop, "a");
        Turns.of(loop);
        assertThat(event.statistics()).isEqualTo(new Event.Statistics(false, 1));
        assertThat(event).hasToString("Event[not set, 1 waiting]");
        event.set();
        Turns.of(loop);
        assertThat(task.isDone()).isTrue();
        assertThat(event.statistics()).isEqualTo(new Event.Statistics(true, 0));
        assertThat(event).hasToString("Event[set, 0 waiting]");
    }
}
