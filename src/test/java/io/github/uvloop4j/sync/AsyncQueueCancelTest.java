package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A queue whose users are cancelled, and one that ends. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class AsyncQueueCancelTest {
    private final ArrayList<Object> order = new ArrayList<>();

    private <T> Task<?> getter(EventLoop loop, AsyncQueue<T> queue) {
        return loop.spawn(() -> order.add(queue.get()));
    }

    private <T> Task<?> putter(EventLoop loop, AsyncQueue<T> queue, T item) {
        return loop.spawn(() -> {
            queue.put(item);
            order.add("put " + item);
        });
    }

    private static <T> List<T> drain(AsyncQueue<T> queue) {
        var all = new ArrayList<T>();
        while (!queue.isEmpty()) {
            all.add(queue.poll());
        }
        return all;
    }

    @Test
    @Tag("cells")
    void anItemPromisedToACancelledTaskGoesToTheNext(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        var first = getter(loop, queue);
        getter(loop, queue);
        getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("a");
        queue.offer("b");
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b");
    }

    @Test
    @Tag("cells")
    void itemsPromisedToCancelledTasksStayInTheirOrder(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        var first = getter(loop, queue);
        var second = getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        queue.offer("b");
        queue.offer("c");
        first.cancel();
        second.cancel();
        Turns.of(loop);
        assertThat(order).isEmpty();
        assertThat(drain(queue)).containsExactly("a", "b", "c");
    }

    @Test
    void theOthersGetTheOldestItemsWhenOneOfThemIsCancelled(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        var first = getter(loop, queue);
        getter(loop, queue);
        getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        queue.offer("b");
        first.cancel();
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aPriorityQueueKeepsItsOrderWhenATaskIsCancelled(EventLoop loop) {
        var queue = AsyncQueue.<Integer>priority(Comparator.naturalOrder());
        var first = getter(loop, queue);
        Turns.of(loop);
        queue.offer(5);
        queue.offer(7);
        queue.offer(3);
        first.cancel();
        Turns.of(loop);
        assertThat(drain(queue)).containsExactly(3, 5, 7);
    }

    @Test
    void aLifoKeepsItsOrderWhenATaskIsCancelled(EventLoop loop) {
        var queue = AsyncQueue.<Integer>lifo();
        var first = getter(loop, queue);
        Turns.of(loop);
        queue.offer(1);
        queue.offer(2);
        first.cancel();
        Turns.of(loop);
        assertThat(drain(queue)).containsExactly(2, 1);
    }

    @Test
    void aFullQueueTakesBackWhatWasPromised(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        var first = getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        assertThat(queue.offer("b")).isTrue();
        assertThat(queue.offer("c")).isFalse();
        first.cancel();
        Turns.of(loop);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.isFull()).isTrue();
        putter(loop, queue, "c");
        Turns.of(loop);
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.isFull()).isTrue();
        assertThat(drain(queue)).containsExactly("b", "c");
        Turns.of(loop);
    }

    @Test
    @Tag("cells")
    void aCancelledPutHasNotPutItsItem(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        queue.offer("a");
        var first = putter(loop, queue, "first");
        putter(loop, queue, "second");
        Turns.of(loop);
        first.cancel();
        assertThat(queue.poll()).isEqualTo("a");
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("put second");
        assertThat(drain(queue)).containsExactly("second");
    }

    @Test
    @Tag("cells")
    void aPutThatWasLetInReturnsAndTheNextAwaitThrowsTheCancel(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        queue.offer("a");
        var first = loop.spawn(() -> {
            queue.put("first");
            order.add("returned");
            queue.get();
            queue.get();
            order.add("not here");
        });
        Turns.of(loop);
        assertThat(queue.poll()).isEqualTo("a");
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("returned");
    }

    @Test
    void aCancelledJoinLeaves(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        queue.offer("a");
        var first = loop.spawn(() -> queue.join());
        var second = loop.spawn(() -> queue.join());
        Turns.of(loop);
        first.cancel();
        queue.taskDone();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(second.failureOrNull()).isNull();
        assertThat(second.isDone()).isTrue();
    }

    @Test
    @Tag("cells")
    void afterAShutdownTheRestComesOutAndNothingGoesIn(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(2);
        queue.offer("a");
        queue.offer("b");
        var waits = putter(loop, queue, "c");
        Turns.of(loop);
        queue.shutdown();
        queue.shutdown();
        Turns.of(loop);
        assertThat(waits.failureOrNull()).isInstanceOf(QueueShutdownException.class);
        assertThatThrownBy(() -> queue.offer("d")).isInstanceOf(QueueShutdownException.class);
        var late = putter(loop, queue, "e");
        getter(loop, queue);
        Turns.of(loop);
        assertThat(late.failureOrNull()).isInstanceOf(QueueShutdownException.class);
        assertThat(order).containsExactly("a");
        assertThat(queue.poll()).isEqualTo("b");
        assertThatThrownBy(queue::poll).isInstanceOf(QueueShutdownException.class);
        var last = getter(loop, queue);
        Turns.of(loop);
        assertThat(last.failureOrNull()).isInstanceOf(QueueShutdownException.class);
    }

    @Test
    void aShutdownSendsThoseAwayWhoWaitForItems(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        var promised = getter(loop, queue);
        var waits = getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        queue.shutdown();
        Turns.of(loop);
        assertThat(promised.failureOrNull()).isNull();
        assertThat(order).containsExactly("a");
        assertThat(waits.failureOrNull()).isInstanceOf(QueueShutdownException.class);
    }

    @Test
    void aShutdownNowReturnsWhatIsLeftAndEndsJoin(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(2);
        var promised = getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        queue.offer("b");
        var join = loop.spawn(() -> queue.join());
        queue.shutdown();
        assertThat(queue.shutdownNow()).containsExactly("a", "b");
        Turns.of(loop);
        assertThat(promised.failureOrNull()).isInstanceOf(QueueShutdownException.class);
        assertThat(join.isDone()).isTrue();
        assertThat(join.failureOrNull()).isNull();
        assertThat(queue.statistics()).isEqualTo(new AsyncQueue.Statistics(0, 2, 0, 0, 0, true));
    }

    @Test
    void aTaskPromisedAnItemAndCancelledAfterAShutdownNowLeavesNothingBehind(EventLoop loop) {
        var queue = AsyncQueue.<String>lifo();
        var promised = getter(loop, queue);
        Turns.of(loop);
        queue.offer("a");
        queue.offer("b");
        assertThat(queue.shutdownNow()).containsExactly("b", "a");
        promised.cancel();
        Turns.of(loop);
        assertThat(promised.isCancelled()).isTrue();
        assertThat(queue.size()).isZero();
    }
}
