package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MpscQueueTest {
    private record Item(int producer, int number) implements Runnable {
        @Override
        public void run() {}
    }

    private final MpscQueue queue = new MpscQueue();
    private final ReadyRing ready = new ReadyRing();

    private List<Runnable> taken() {
        var items = new ArrayList<Runnable>();
        for (var item = ready.poll(); item != null; item = ready.poll()) {
            items.add(item);
        }
        return items;
    }

    @Test
    void keepsTheOrderOfOneProducer() {
        var items = List.<Runnable>of(new Item(0, 0), new Item(0, 1), new Item(0, 2));
        items.forEach(queue::offer);
        queue.drainTo(ready, false);
        assertThat(taken()).isEqualTo(items);
    }

    @Test
    void appendsToWhatIsReadyAlready() {
        ready.add(new Item(0, 0));
        queue.offer(new Item(0, 1));
        queue.drainTo(ready, false);
        assertThat(taken()).containsExactly(new Item(0, 0), new Item(0, 1));
    }

    @Test
    void drainingAnEmptyQueueAddsNothing() {
        assertThat(queue.drainTo(ready, true)).isFalse();
        assertThat(ready.isEmpty()).isTrue();
    }

    @Test
    void onlyTheFirstOfferToASleeperWakes() {
        assertThat(queue.sleep()).isTrue();
        assertThat(queue.offer(new Item(0, 0))).isEqualTo(MpscQueue.Offer.WAKE);
        assertThat(queue.offer(new Item(0, 1))).isEqualTo(MpscQueue.Offer.QUEUED);
    }

    @Test
    void anOfferToAnAwakeConsumerDoesNotWake() {
        assertThat(queue.offer(new Item(0, 0))).isEqualTo(MpscQueue.Offer.QUEUED);
    }

    @Test
    void sleepIsRefusedWhileSomethingIsQueued() {
        queue.offer(new Item(0, 0));
        assertThat(queue.sleep()).isFalse();
        queue.drainTo(ready, false);
        assertThat(queue.sleep()).isTrue();
    }

    @Test
    void drainTellsWhetherAProducerWasToldToWake() {
        queue.sleep();
        assertThat(queue.drainTo(ready, true)).as("nobody came").isFalse();
        queue.sleep();
        queue.offer(new Item(0, 0));
        assertThat(queue.drainTo(ready, true)).as("one came").isTrue();
        queue.offer(new Item(0, 1));
        assertThat(queue.drainTo(ready, false)).as("it was awake").isFalse();
    }

    @Test
    void aDrainedSleeperIsAwake() {
        queue.sleep();
        queue.drainTo(ready, true);
        assertThat(queue.offer(new Item(0, 0))).isEqualTo(MpscQueue.Offer.QUEUED);
    }

    @Test
    void hasItemsSeesItemsOnly() {
        assertThat(queue.hasItems()).isFalse();
        queue.sleep();
        assertThat(queue.hasItems()).isFalse();
        queue.offer(new Item(0, 0));
        assertThat(queue.hasItems()).isTrue();
        queue.close(ready, true);
        assertThat(queue.hasItems()).isFalse();
    }

    @Test
    void closeReturnsTheRestAndRefusesWhatComesLater() {
        queue.offer(new Item(0, 0));
        queue.close(ready, false);
        assertThat(taken()).containsExactly(new Item(0, 0));
        assertThat(queue.offer(new Item(0, 1))).isEqualTo(MpscQueue.Offer.CLOSED);
        assertThat(queue.drainTo(ready, false)).isFalse();
        assertThat(queue.sleep()).isFalse();
        assertThat(taken()).isEmpty();
    }

    @Test
    void closeIsRepeatable() {
        queue.close(ready, false);
        assertThat(queue.close(ready, false)).isFalse();
        assertThat(taken()).isEmpty();
    }

    /** Producers race a consumer that sleeps, wakes and in the end closes; the wake-ups are a counter here. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void everyAcceptedItemArrivesOnceAndInOrder(int producers) throws Exception {
        int perProducer = 300_000 / producers;
        var wakes = new AtomicInteger();
        var accepted = new int[producers];
        var go = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int i = 0; i < perProducer; i++) {
                    var offer = queue.offer(new Item(producer, i));
                    if (offer == MpscQueue.Offer.CLOSED) {
                        return;
                    }
                    accepted[producer] = i + 1;
                    if (offer == MpscQueue.Offer.WAKE) {
                        wakes.incrementAndGet();
                    }
                }
            }));
        }
        go.countDown();
        var next = new int[producers];
        int total = 0;
        int wakesExpected = 0;
        int closeAt = producers * perProducer * 9 / 10;
        while (total < closeAt) {
            boolean slept = queue.sleep();
            wakesExpected += queue.drainTo(ready, slept) ? 1 : 0;
            total += count(next);
        }
        boolean slept = queue.sleep();
        wakesExpected += queue.close(ready, slept) ? 1 : 0;
        count(next);
        for (var thread : threads) {
            thread.join();
        }
        assertThat(next).isEqualTo(accepted);
        assertThat(wakes.get()).isEqualTo(wakesExpected);
    }

    private int count(int[] next) {
        int total = 0;
        for (var item = ready.poll(); item != null; item = ready.poll()) {
            var it = (Item) item;
            if (it.number != next[it.producer]) {
                throw new AssertionError(it + " came when " + next[it.producer] + " was due");
            }
            next[it.producer]++;
            total++;
        }
        return total;
    }
}
