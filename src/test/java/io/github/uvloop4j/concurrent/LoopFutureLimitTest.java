package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waits with a limit. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LoopFutureLimitTest {
    private static final Duration LONG = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    @Tag("cells")
    void aTaskStopsWaitingAfterTheLimit(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.run(() -> {
            long start = System.nanoTime();
            assertThatThrownBy(() -> future.await(Duration.ofMillis(20)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("PT0.02S");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
            assertThat(future.isDone()).isFalse();
            future.complete("x");
            assertThat(future.await(Duration.ofMillis(20))).isEqualTo("x");
        });
    }

    @Test
    void aLimitOfZeroOrLessTimesOut(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.run(() -> {
            assertThatThrownBy(() -> future.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> future.await(Duration.ofSeconds(-5))).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> future.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        });
    }

    @Test
    void anEndlessLimitIsAccepted(EventLoop loop) throws Exception {
        var future = loop.<String>createFuture();
        loop.callSoon(() -> future.complete("x"));
        assertThat(loop.run(() -> future.await(LONG))).isEqualTo("x");
        var second = loop.<String>createFuture();
        loop.callSoon(() -> second.complete("y"));
        assertThat(loop.run(() -> second.get(Long.MAX_VALUE, TimeUnit.DAYS))).isEqualTo("y");
    }

    @Test
    void anEndlessLimitOnAThreadIsAccepted() throws Exception {
        var future = new LoopFuture<String>();
        var waiting = new CountDownLatch(1);
        var result = new AtomicReference<String>();
        var waiter = Thread.ofPlatform().start(() -> {
            waiting.countDown();
            try {
                result.set(future.await(LONG));
            } catch (Exception e) {
                result.set(e.toString());
            }
        });
        waiting.await();
        future.complete("x");
        waiter.join();
        assertThat(result.get()).isEqualTo("x");
    }

    @Test
    void waitingWithALimitInTurnsLeavesNoWaitersBehind(EventLoop loop) throws Exception {
        var never = loop.<String>createFuture();
        loop.run(() -> {
            var other = loop.spawn(() -> {
                for (int i = 0; i < 200; i++) {
                    waitInVain(never);
                }
            });
            for (int i = 0; i < 200; i++) {
                waitInVain(never);
            }
            other.await();
        });
        assertThat(waitersOf(never)).isLessThanOrEqualTo(2);
    }

    private static int waitersOf(LoopFuture<?> future) throws ReflectiveOperationException {
        var state = MethodHandles.privateLookupIn(LoopFuture.class, MethodHandles.lookup())
                .findVarHandle(LoopFuture.class, "state", Object.class);
        int count = 0;
        for (var node = (Callback) state.getVolatile(future); node != null; node = node.next) {
            count++;
        }
        return count;
    }

    private static void waitInVain(LoopFuture<String> future) throws Exception {
        try {
            future.await(Duration.ofNanos(50_000));
            throw new AssertionError("it never ends");
        } catch (TimeoutException expected) {
            // As it must be.
        }
    }
}
