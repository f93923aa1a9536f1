package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What goes in comes out: in its order, within the limit, until the end. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class AsyncQueueTest {
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
    void aFifoGivesOutTheOldest(EventLoop loop) {
        var queue = AsyncQueue.<Integer>fifo();
        for (int item : new int[] {3, 1, 2}) {
            assertThat(queue.offer(item)).isTrue();
        }
        assertThat(drain(queue)).containsExactly(3, 1, 2);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void aLifoGivesOutTheNewest(EventLoop loop) {
        var queue = AsyncQueue.<Integer>lifo(3);
        for (int item : new int[] {3, 1, 2}) {
            queue.offer(item);
        }
        assertThat(queue.offer(4)).isFalse();
        assertThat(drain(queue)).containsExactly(2, 1, 3);
        assertThat(AsyncQueue.lifo().maxSize()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aPriorityQueueGivesOutTheLeastAndOfEqualsTheOldest(EventLoop loop) {
        record Job(int priority, int number) {}
        var queue = AsyncQueue.<Job>priority(Comparator.comparingInt(Job::priority));
        var random = new Random(11);
        var expected = new ArrayList<Job>();
        for (int i = 0; i < 1_000; i++) {
            var job = new Job(random.nextInt(10), i);
            queue.offer(job);
            expected.add(job);
        }
        expected.sort(Comparator.comparingInt(Job::priority));
        assertThat(drain(queue)).isEqualTo(expected);
    }

    @Test
    void aPriorityQueueStaysInOrderWhenItemsComeAndGo(EventLoop loop) {
        var queue = AsyncQueue.<Integer>priority(Comparator.naturalOrder());
        var reference = new PriorityQueue<Integer>();
        var random = new Random(13);
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(5) < 3) {
                int item = random.nextInt(100);
                queue.offer(item);
                reference.add(item);
            } else {
                assertThat(queue.poll()).isEqualTo(reference.poll());
            }
        }
    }

    @Test
    void anItemThatCannotBeComparedIsRefusedAtOnce(EventLoop loop) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        AsyncQueue<Object> queue = AsyncQueue.priority(1, (Comparator) Comparator.naturalOrder());
        assertThatThrownBy(() -> queue.offer(new Object())).isInstanceOf(ClassCastException.class);
        assertThat(queue.offer("a")).isTrue();
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    @Tag("cells")
    void gettersAreServedInTheirOrder(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        for (int i = 0; i < 3; i++) {
            getter(loop, queue);
        }
        Turns.of(loop);
        assertThat(queue.statistics().getting()).isEqualTo(3);
        queue.offer("a");
        queue.offer("b");
        assertThat(queue.isEmpty()).as("they are promised").isTrue();
        assertThat(queue.poll()).isNull();
        queue.offer("c");
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b", "c");
    }

    @Test
    @Tag("cells")
    void puttersWaitForRoomInTheirOrder(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        putter(loop, queue, "a");
        putter(loop, queue, "b");
        putter(loop, queue, "c");
        Turns.of(loop);
        assertThat(order).containsExactly("put a");
        assertThat(queue.isFull()).isTrue();
        assertThat(queue.offer("x")).isFalse();
        assertThat(queue.statistics().putting()).isEqualTo(2);
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.offer("x")).as("the room went to who waited").isFalse();
        assertThat(queue.poll()).isEqualTo("b");
        assertThat(queue.poll()).isEqualTo("c");
        assertThat(queue.poll()).isNull();
        Turns.of(loop);
        assertThat(order).containsExactly("put a", "put b", "put c");
    }

    @Test
    void limitsEndTheWaits(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        var get = loop.spawn(() -> queue.get(Duration.ofMillis(1)));
        var getZero = loop.spawn(() -> queue.get(Duration.ZERO));
        while (!get.isDone() || !getZero.isDone()) {
            loop.runOnce();
        }
        assertThat(get.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("PT0.001S");
        assertThat(getZero.failureOrNull()).isInstanceOf(TimeoutException.class);
        queue.offer("a");
        var put = loop.spawn(() -> queue.put("b", Duration.ofMillis(1)));
        var putZero = loop.spawn(() -> queue.put("c", Duration.ZERO));
        while (!put.isDone() || !putZero.isDone()) {
            loop.runOnce();
        }
        assertThat(put.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("no room");
        assertThat(putZero.failureOrNull()).isInstanceOf(TimeoutException.class);
        assertThat(drain(queue)).containsExactly("a");
        assertThat(queue.statistics()).isEqualTo(new AsyncQueue.Statistics(0, 1, 0, 0, 1, false));
    }

    @Test
    void whatIsThereInTimeNeedsNoWait(EventLoop loop) throws Exception {
        var queue = AsyncQueue.<String>fifo(1);
        loop.run(() -> {
            queue.put("a", Duration.ZERO);
            assertThat(queue.get(Duration.ZERO)).isEqualTo("a");
            queue.put("b", Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(queue.get(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("b");
        });
    }

    @Test
    void anItemOfTheTurnInWhichTheTimeIsOverIsTaken(EventLoop loop) throws Exception {
        var queue = AsyncQueue.<String>fifo();
        var get = loop.spawn(() -> queue.get(Turns.LIMIT));
        loop.runOnce();
        Turns.pastLimit();
        queue.offer("a");
        Turns.of(loop);
        assertThat(get.result()).isEqualTo("a");
    }

    @Test
    void roomOfTheTurnInWhichTheTimeIsOverIsUsed(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(1);
        queue.offer("a");
        var put = loop.spawn(() -> queue.put("b", Turns.LIMIT));
        loop.runOnce();
        Turns.pastLimit();
        queue.poll();
        Turns.of(loop);
        assertThat(put.isDone()).isTrue();
        assertThat(put.failureOrNull()).isNull();
        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    void joinWaitsUntilAllIsDone(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo();
        queue.offer("a");
        queue.offer("b");
        var join = loop.spawn(() -> queue.join());
        var limited = loop.spawn(() -> queue.join(Duration.ofMillis(1)));
        while (!limited.isDone()) {
            loop.runOnce();
        }
        assertThat(limited.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("2 items");
        drain(queue);
        queue.taskDone();
        Turns.of(loop);
        assertThat(join.isDone()).as("one is not done").isFalse();
        queue.taskDone();
        queue.offer("c");
        Turns.of(loop);
        assertThat(join.isDone()).as("all were done").isTrue();
        queue.poll();
        queue.taskDone();
        assertThatThrownBy(queue::taskDone)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more items");
        var atOnce = loop.spawn(() -> queue.join(Duration.ZERO));
        Turns.of(loop);
        assertThat(atOnce.failureOrNull()).isNull();
    }

    @Test
    void numbersAndItemsThatMakeNoSenseAreRefused(EventLoop loop) {
        for (int size : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> AsyncQueue.fifo(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxSize");
            assertThatThrownBy(() -> AsyncQueue.lifo(size)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> AsyncQueue.<String>priority(size, Comparator.naturalOrder()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void tellsHowItStands(EventLoop loop) {
        var queue = AsyncQueue.<String>fifo(2);
        queue.offer("a");
        assertThat(queue.statistics()).isEqualTo(new AsyncQueue.Statistics(1, 2, 0, 0, 1, false));
        assertThat(queue).hasToString("AsyncQueue[1 of 2 items, 0 getting, 0 putting]");
        assertThat(AsyncQueue.fifo()).hasToString("AsyncQueue[0 items, 0 getting, 0 putting]");
        queue.shutdown();
        assertThat(queue).hasToString("AsyncQueue[1 of 2 items, 0 getting, 0 putting, shut down]");
        assertThat(queue.isShutdown()).isTrue();
    }
}
