package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReadyRingTest {
    private record Item(int number) implements Runnable {
        @Override
        public void run() {}
    }

    private final ReadyRing ring = new ReadyRing();

    @Test
    void isEmptyAtFirst() {
        assertThat(ring.isEmpty()).isTrue();
        assertThat(ring.size()).isZero();
        assertThat(ring.poll()).isNull();
    }

    @Test
    void returnsTheOldestFirst() {
        ring.add(new Item(1));
        ring.add(new Item(2));
        assertThat(ring.poll()).isEqualTo(new Item(1));
        assertThat(ring.poll()).isEqualTo(new Item(2));
        assertThat(ring.poll()).isNull();
    }

    @Test
    void growsWithItsContentWrappedAround() {
        for (int i = 0; i < 200; i++) {
            ring.add(new Item(i));
            ring.poll();
        }
        for (int i = 0; i < 1_000; i++) {
            ring.add(new Item(i));
        }
        assertThat(ring.size()).isEqualTo(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(ring.poll()).isEqualTo(new Item(i));
        }
    }

    @Test
    void doesNotHoldWhatWasTaken() {
        var item = new WeakReference<Runnable>(new Item(1));
        ring.add(item.get());
        ring.poll();
        for (int i = 0; i < 100 && item.get() != null; i++) {
            System.gc();
        }
        assertThat(item.get()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesAsAQueueUnderRandomUse(long seed) {
        var random = new Random(seed);
        var model = new ArrayDeque<Runnable>();
        int bias = 50;
        for (int i = 0; i < 200_000; i++) {
            if (i % 5_000 == 0) {
                bias = 20 + random.nextInt(60);
            }
            if (random.nextInt(100) < bias) {
                var item = new Item(i);
                ring.add(item);
                model.add(item);
            } else {
                assertThat(ring.poll()).isSameAs(model.poll());
            }
            if (ring.size() != model.size() || ring.isEmpty() != model.isEmpty()) {
                throw new AssertionError("size " + ring.size() + " after step " + i + ", expected " + model.size());
            }
        }
    }
}
