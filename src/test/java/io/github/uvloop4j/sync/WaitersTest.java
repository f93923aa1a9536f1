package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The queue behind every primitive. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class WaitersTest {
    private final Waiters<Waiter> waiters = new Waiters<>();

    private ArrayList<Waiter> add(EventLoop loop, int count) throws Exception {
        return loop.run(() -> {
            var all = new ArrayList<Waiter>();
            for (int i = 0; i < count; i++) {
                var waiter = new Waiter(loop.currentTask());
                waiters.add(waiter);
                all.add(waiter);
            }
            return all;
        });
    }

    @Test
    void theOldestComesOutFirst(EventLoop loop) throws Exception {
        for (var waiter : add(loop, 3)) {
            assertThat(waiters.peek()).isSameAs(waiter);
            assertThat(waiters.poll()).isSameAs(waiter);
        }
        assertThat(waiters.poll()).isNull();
        assertThat(waiters.isEmpty()).isTrue();
    }

    @Test
    void leavingFromAnywhereKeepsTheOrderOfTheOthers(EventLoop loop) throws Exception {
        for (int gone = 0; gone < 4; gone++) {
            var left = add(loop, 4);
            var leaver = left.remove(gone);
            waiters.remove(leaver);
            waiters.remove(leaver);
            assertThat(waiters.size()).isEqualTo(3);
            for (var waiter : left) {
                assertThat(waiters.poll()).isSameAs(waiter);
            }
            assertThat(waiters.poll()).isNull();
        }
    }

    /** With a search, these would take hours. */
    @Test
    void aMillionLeaveInAnyOrder(EventLoop loop) throws Exception {
        var all = add(loop, 1_000_000);
        Collections.shuffle(all, new Random(7));
        all.forEach(waiters::remove);
        assertThat(waiters.size()).isZero();
        assertThat(waiters.peek()).isNull();
    }
}
