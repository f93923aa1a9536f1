package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A thread that is in a monitor must not carry tasks, which would take the monitor with them. */
@Timeout(60)
@Tag("carrier")
@ExtendWith(LoopExtension.class)
class MonitorsTest {
    private static final String MESSAGE = "inside synchronized";

    private final Object lock = new Object();

    @Test
    void noLoopRunsInASynchronizedBlock(EventLoop loop) throws Exception {
        synchronized (lock) {
            assertThatThrownBy(() -> loop.run(() -> 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(MESSAGE);
            assertThatThrownBy(loop::runForever).hasMessageContaining(MESSAGE);
            assertThatThrownBy(loop::runOnce).hasMessageContaining(MESSAGE);
            assertThat(Thread.holdsLock(lock)).isTrue();
        }
        assertThat(loop.<Integer>run(() -> 1)).as("outside it does").isEqualTo(1);
    }

    @Test
    void noLoopRunsInASynchronizedMethod(EventLoop loop) {
        assertThatThrownBy(() -> runSynchronized(loop)).hasMessageContaining(MESSAGE);
    }

    private synchronized void runSynchronized(EventLoop loop) throws Exception {
        loop.run(() -> 1);
    }

    @Test
    void closingInAMonitorEndsTheTasksAndKeepsTheMonitor(EventLoop loop) {
        var order = new ArrayList<String>();
        var task = loop.spawn(() -> {
            try {
                loop.createFuture().await();
            } finally {
                var turn = loop.<String>createFuture();
                loop.callSoon(() -> turn.complete("cleaned up"));
                order.add(turn.await());
            }
        });
        loop.runOnce();
        synchronized (lock) {
            loop.close();
            assertThat(Thread.holdsLock(lock)).isTrue();
        }
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    void aTaskMayParkInAMonitorOfItsOwn(EventLoop loop) throws Exception {
        var held = loop.<Boolean>run(() -> {
            synchronized (lock) {
                var turn = loop.<String>createFuture();
                loop.callSoon(() -> turn.complete("x"));
                turn.await();
                return Thread.holdsLock(lock);
            }
        });
        assertThat(held).isTrue();
        assertThat(Thread.holdsLock(lock)).isFalse();
    }
}
