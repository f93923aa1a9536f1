package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SlotsTest {
    private final Slots<Object> slots = new Slots<>();

    @Test
    void neverGivesOutWhatUntouchedMemoryHolds() {
        assertThat(slots.get(0)).isNull();
        for (int i = 0; i < 1_000; i++) {
            assertThat(slots.claim("x")).isPositive();
        }
        assertThat(slots.get(0)).isNull();
    }

    @Test
    void findsTheObjectUntilItIsReleased() {
        int id = slots.claim("x");
        assertThat(slots.get(id)).isEqualTo("x");
        slots.release(id);
        assertThat(slots.get(id)).isNull();
    }

    @Test
    void knowsNothingOfIdsThatWereNeverGivenOut() {
        assertThat(slots.get(-1)).isNull();
        assertThat(slots.get(7)).isNull();
        assertThat(slots.get(1 << 20)).isNull();
        assertThat(slots.get(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void reusesReleasedIdsBeforeItGrows() {
        for (int i = 0; i < 10_000; i++) {
            slots.release(slots.claim(i));
        }
        assertThat(slots.bound()).isEqualTo(2);
        assertThat(slots.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void behavesAsAMapUnderRandomUse(long seed) {
        var random = new Random(seed);
        var model = new HashMap<Integer, Object>();
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < 100_000; i++) {
            if (ids.isEmpty() || random.nextInt(100) < 52) {
                var object = new Object();
                int id = slots.claim(object);
                assertThat(model.put(id, object)).as("id %d was in use", id).isNull();
                ids.add(id);
            } else {
                int index = random.nextInt(ids.size());
                int id = ids.get(index);
                ids.set(index, ids.getLast());
                ids.removeLast();
                assertThat(slots.get(id)).isSameAs(model.remove(id));
                slots.release(id);
            }
        }
        assertThat(slots.size()).isEqualTo(model.size());
        model.forEach((id, object) -> assertThat(slots.get(id)).isSameAs(object));
        for (int id = 1; id < slots.bound() + 10; id++) {
            assertThat(slots.get(id)).isSameAs(model.get(id));
        }
    }
}
