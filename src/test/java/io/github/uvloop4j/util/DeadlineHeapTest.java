package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DeadlineHeapTest {
    private static final class Entry extends DeadlineHeap.Entry {
        final int number;

        Entry(long deadline, int number) {
            super(deadline);
            this.number = number;
        }

        @Override
        public String toString() {
            return number + "@" + deadline();
        }
    }

    private final DeadlineHeap heap = new DeadlineHeap();

    private Entry add(long deadline, int number) {
        var entry = new Entry(deadline, number);
        heap.add(entry);
        return entry;
    }

    private List<Integer> due(long now) {
        var numbers = new ArrayList<Integer>();
        for (var entry = heap.pollDue(now); entry != null; entry = heap.pollDue(now)) {
            numbers.add(((Entry) entry).number);
        }
        return numbers;
    }

    @Test
    void isEmptyAtFirst() {
        assertThat(heap.size()).isZero();
        assertThat(heap.first()).isNull();
        assertThat(heap.pollDue(Long.MAX_VALUE)).isNull();
    }

    @Test
    void returnsTheEarliestFirst() {
        add(30, 3);
        add(10, 1);
        add(20, 2);
        assertThat(due(100)).containsExactly(1, 2, 3);
    }

    @Test
    void equalDeadlinesKeepTheirOrder() {
        for (int i = 0; i < 1_000; i++) {
            add(5, i);
        }
        assertThat(due(5)).isSorted().hasSize(1_000);
    }

    @Test
    void returnsOnlyWhatIsDue() {
        add(10, 1);
        add(11, 2);
        assertThat(due(9)).isEmpty();
        assertThat(due(10)).containsExactly(1);
        assertThat(heap.size()).isEqualTo(1);
    }

    @Test
    void aRemovedEntryDoesNotComeOut() {
        add(1, 1);
        var removed = add(2, 2);
        add(3, 3);
        assertThat(heap.remove(removed)).isTrue();
        assertThat(due(10)).containsExactly(1, 3);
    }

    @Test
    void removesOnlyWhatItHolds() {
        var entry = add(1, 1);
        assertThat(heap.remove(new Entry(1, 2))).isFalse();
        assertThat(heap.remove(entry)).isTrue();
        assertThat(heap.remove(entry)).isFalse();
        var fired = add(1, 3);
        heap.pollDue(1);
        assertThat(heap.remove(fired)).isFalse();
    }

    @Test
    void anEntryCanBeAddedAgain() {
        var entry = add(1, 1);
        heap.remove(entry);
        heap.add(entry);
        assertThat(due(1)).containsExactly(1);
    }

    @Test
    void ordersDeadlinesAcrossTheClocksOverflow() {
        add(Long.MIN_VALUE + 5, 2);
        add(Long.MAX_VALUE - 5, 1);
        assertThat(due(Long.MAX_VALUE)).containsExactly(1);
        assertThat(due(Long.MIN_VALUE + 5)).containsExactly(2);
    }

    @Test
    void aMillionRemovedEntriesLeaveNothingBehind() {
        var entries = new ArrayList<Entry>();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 100_000; i++) {
                entries.add(add(i * 7919L % 100_003, i));
            }
            entries.forEach(heap::remove);
            entries.clear();
            assertThat(heap.size()).isZero();
            assertThat(heap.first()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void behavesAsASortedSetUnderRandomUse(long seed) {
        var random = new Random(seed);
        int range = random.nextBoolean() ? 100 : 1_000_000;
        var model =
                new TreeSet<Entry>(Comparator.comparingLong(Entry::deadline).thenComparingInt(entry -> entry.number));
        var all = new ArrayList<Entry>();
        int bias = 40;
        for (int i = 0; i < 50_000; i++) {
            if (i % 5_000 == 0) {
                bias = 30 + random.nextInt(40);
            }
            int roll = random.nextInt(100);
            if (roll < bias) {
                var entry = add(random.nextInt(range), i);
                model.add(entry);
                all.add(entry);
            } else if (roll < 80 && !all.isEmpty()) {
                var entry = all.get(random.nextInt(all.size()));
                assertThat(heap.remove(entry)).isEqualTo(model.remove(entry));
            } else {
                long now = random.nextInt(range);
                var due = heap.pollDue(now);
                var expected = model.isEmpty() || model.first().deadline() > now ? null : model.pollFirst();
                assertThat(due).isSameAs(expected);
            }
            assertThat(heap.size()).isEqualTo(model.size());
            assertThat(heap.first()).isSameAs(model.isEmpty() ? null : model.first());
        }
    }
}
