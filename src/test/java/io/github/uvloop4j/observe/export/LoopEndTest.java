package io.github.uvloop4j.observe.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopEndTest {
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void happensWhenTheLoopCloses() throws Exception {
        try (var loop = EventLoop.create()) {
            LoopEnd.of(loop, ends::incrementAndGet);
            loop.run(() -> Task.sleep(Duration.ofMillis(1)));
            assertThat(ends).hasValue(0);
        }
        assertThat(ends).hasValue(1);
    }

    @Test
    void happensToALoopThatNeverRan() {
        try (var loop = EventLoop.create()) {
            LoopEnd.of(loop, ends::incrementAndGet);
        }
        assertThat(ends).hasValue(1);
    }

    @Test
    void happensToALoopOnAThreadOfItsOwn() {
        try (var loop = EventLoop.create().start()) {
            LoopEnd.of(loop, ends::incrementAndGet);
        }
        assertThat(ends).hasValue(1);
    }

    @Test
    void happensAtOnceWhenTheLoopIsClosed() {
        var loop = EventLoop.create();
        loop.close();
        LoopEnd.of(loop, ends::incrementAndGet);
        assertThat(ends).hasValue(1);
    }

    @Test
    void canBeTakenBack() throws Exception {
        try (var loop = EventLoop.create()) {
            var early = LoopEnd.of(loop, ends::incrementAndGet);
            early.cancel();
            var late = LoopEnd.of(loop, ends::incrementAndGet);
            loop.run(() -> Task.sleep(Duration.ofMillis(1)));
            late.cancel();
        }
        assertThat(ends).hasValue(0);
    }
}
