package io.github.uvloop4j.observe.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import org.junit.jupiter.api.Test;

class MomentTest {
    private static void spin(EventLoop loop) throws Exception {
        loop.run(() -> {
            long end = System.nanoTime() + 20_000_000;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void theFirstShareIsThatFromTheStart() throws Exception {
        try (var loop = EventLoop.create()) {
            spin(loop);
            var statistics = loop.statistics();
            assertThat(Moment.after(null, statistics, 7).busyShare()).isEqualTo(statistics.busyShare());
        }
    }

    @Test
    void aLaterShareIsThatOfTheTimeSince() throws Exception {
        try (var loop = EventLoop.create()) {
            spin(loop);
            var first = Moment.after(null, loop.statistics(), 0);
            spin(loop);
            var second = Moment.after(first, loop.statistics(), 1_000_000_000_000L);
            long busy = second.statistics().turns().total()
                    - first.statistics().turns().total();
            assertThat(busy).isGreaterThanOrEqualTo(20_000_000);
            assertThat(second.busyShare()).isEqualTo(busy / 1e12);
            assertThat(Moment.after(second, loop.statistics(), 2_000_000_000_000L)
                            .busyShare())
                    .isZero();
        }
    }

    @Test
    void aTurnThatBeganBeforeMakesNoMoreThanAll() throws Exception {
        try (var loop = EventLoop.create()) {
            var first = Moment.after(null, loop.statistics(), 0);
            spin(loop);
            assertThat(Moment.after(first, loop.statistics(), 1_000).busyShare())
                    .isEqualTo(1);
        }
    }

    @Test
    void atTheSameMomentTheShareStays() throws Exception {
        try (var loop = EventLoop.create()) {
            spin(loop);
            var first = Moment.after(null, loop.statistics(), 5);
            assertThat(Moment.after(first, loop.statistics(), 5).busyShare()).isEqualTo(first.busyShare());
        }
    }
}
