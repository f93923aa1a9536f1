package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Timeout#waitFor}: a limit for one future. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TimeoutWaitForTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void returnsTheValue(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.<String>createFuture();
            Turns.later(loop, 3, () -> future.complete("value"));
            assertThat(Timeout.waitFor(future, LONG)).isEqualTo("value");
            Turns.assertBalanced();
        });
        assertThat(loop.backendTimeout()).as("no timer is left").isLessThan(1);
    }

    @Test
    @Tag("cells")
    void cancelsTheFutureWhenTheTimeIsOver(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.run(() -> {
            assertThatThrownBy(() -> Timeout.waitFor(future, Duration.ofMillis(2)))
                    .isInstanceOf(TimeoutException.class);
            Turns.assertBalanced();
        });
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void returnsADoneValueEvenWithoutTime(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThat(Timeout.waitFor(LoopFuture.completed(null, "value"), Duration.ZERO))
                    .isEqualTo("value");
            assertThat(Timeout.waitFor(LoopFuture.completed(null, "value"), Duration.ofSeconds(-1)))
                    .isEqualTo("value");
            Turns.assertBalanced();
        });
    }

    @Test
    void throwsWhatTheFutureFailedWith(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.<String>createFuture();
            Turns.later(loop, 3, () -> future.completeExceptionally(new IOException("failed")));
            assertThatThrownBy(() -> Timeout.waitFor(future, LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessage("failed");
            Turns.assertBalanced();
        });
    }

    @Test
    void aFutureThatOthersCancelIsNoTimeOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.<String>createFuture();
            Turns.later(loop, 3, future::cancel);
            assertThatThrownBy(() -> Timeout.waitFor(future, LONG)).isInstanceOf(CancellationException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void waitsForTheEndOfATask(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(() -> {
                try {
                    Turns.forever();
                } finally {
                    Turns.wait(6);
                    order.add("inner");
                }
            });
            assertThatThrownBy(() -> Timeout.waitFor(inner, Duration.ZERO)).isInstanceOf(TimeoutException.class);
            order.add("outer");
            assertThat(inner.isCancelled()).isTrue();
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("inner", "outer");
    }

    @Test
    void returnsTheValueOfATaskThatSwallowsTheTimeOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(() -> {
                try {
                    Turns.forever();
                } catch (CancellationException e) {
                    order.add("swallowed");
                }
                return "value";
            });
            assertThat(Timeout.waitFor(inner, Duration.ZERO)).isEqualTo("value");
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("swallowed");
    }

    @Test
    void throwsWhatTheCleanUpOfATaskFailsWith(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(Turns.failingWhenCancelled("clean-up"));
            Turns.wait(2);
            assertThatThrownBy(() -> Timeout.waitFor(inner, Duration.ZERO))
                    .isInstanceOf(IOException.class)
                    .hasMessage("clean-up");
            Turns.assertBalanced();
        });
    }

    @Test
    void aShieldKeepsTheFutureGoing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(() -> {
                Turns.wait(8);
                return "value";
            });
            assertThatThrownBy(() -> Timeout.waitFor(inner.shield(), Duration.ZERO))
                    .isInstanceOf(TimeoutException.class);
            assertThat(inner.await()).isEqualTo("value");
        });
    }

    @Test
    @Tag("cells")
    void aCancelRightAfterTheValueLeavesTheResourceInHand(EventLoop loop) {
        AutoCloseable resource = () -> order.add("closed");
        var inner = loop.<AutoCloseable>createFuture();
        var task = loop.spawn(() -> {
            try (var held = Timeout.waitFor(inner, LONG)) {
                order.add("held " + (held == resource));
                Turns.one();
                order.add("not here");
            }
        });
        Turns.some(loop);
        inner.complete(resource);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("held true", "closed");
    }

    @Test
    void aCancelRightAfterTheValueOfTheLastAwaitIsNotSwallowed(EventLoop loop) throws Exception {
        var inner = loop.<String>createFuture();
        var task = loop.spawn(() -> Timeout.waitFor(inner, LONG));
        Turns.some(loop);
        inner.complete("value");
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(inner.result()).isEqualTo("value");
    }

    @Test
    void aCancelRightBeforeTheValueWins(EventLoop loop) {
        var inner = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            order.add(Timeout.waitFor(inner, LONG));
        });
        Turns.some(loop);
        task.cancel();
        assertThat(inner.complete("value")).isFalse();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
    }

    @Test
    void tenThousandLeaveNoTimer(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int i = 0; i < 10_000; i++) {
                var future = loop.<Integer>createFuture();
                int value = i;
                loop.callSoon(() -> future.complete(value));
                assertThat(Timeout.waitFor(future, LONG)).isEqualTo(value);
            }
        });
        assertThat(loop.backendTimeout()).isLessThan(1);
    }
}
