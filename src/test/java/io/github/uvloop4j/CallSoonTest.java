package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.testing.LoopExtension;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class CallSoonTest {
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void callbacksRunOnceInTheirOrder(EventLoop loop) {
        for (int i = 0; i < 1_000; i++) {
            var name = "" + i;
            loop.callSoon(() -> order.add(name));
        }
        loop.runOnce();
        assertThat(order).hasSize(1_000).startsWith("0", "1", "2").endsWith("998", "999");
        loop.runOnce();
        assertThat(order).hasSize(1_000);
    }

    @Test
    void aCallbackQueuedByACallbackWaitsForTheNextTurn(EventLoop loop) {
        loop.callSoon(() -> {
            order.add("first");
            loop.callSoon(() -> order.add("second"));
        });
        loop.runOnce();
        assertThat(order).containsExactly("first");
        loop.runOnce();
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void executeQueuesAsCallSoonDoes(EventLoop loop) {
        loop.callSoon(() -> order.add("soon"));
        loop.execute(() -> order.add("execute"));
        loop.callSoon(() -> order.add("later"));
        loop.runOnce();
        assertThat(order).containsExactly("soon", "execute", "later");
    }

    @Test
    void aCancelledCallbackDoesNotRun(EventLoop loop) {
        var handle = loop.callSoon(() -> order.add("cancelled"));
        loop.callSoon(() -> order.add("other"));
        assertThat(handle.isCancelled()).isFalse();
        handle.cancel();
        handle.cancel();
        loop.runOnce();
        assertThat(handle.isCancelled()).isTrue();
        assertThat(order).containsExactly("other");
    }

    @Test
    void aCallbackCanBeCancelledByAnEarlierOneOfItsTurn(EventLoop loop) {
        var handle = new CallHandle[1];
        loop.callSoon(() -> handle[0].cancel());
        handle[0] = loop.callSoon(() -> order.add("cancelled"));
        loop.runOnce();
        assertThat(order).isEmpty();
    }

    @Test
    void whatHasRunIsNotCancelled(EventLoop loop) {
        var handle = loop.callSoon(() -> order.add("ran"));
        loop.runOnce();
        handle.cancel();
        assertThat(handle.isCancelled()).isFalse();
    }

    @Test
    void theHandleNamesItsCallbackAndState(EventLoop loop) {
        var action = new Runnable() {
            @Override
            public void run() {}

            @Override
            public String toString() {
                return "greeting";
            }
        };
        var handle = loop.callSoon(action);
        assertThat(handle).asString().contains("greeting");
        handle.cancel();
        assertThat(handle).asString().contains("cancelled");
        assertThat(loop.callLater(Duration.ofSeconds(1), action))
                .asString()
                .contains("greeting")
                .contains("timer");
    }

    @Test
    void refusesNull(EventLoop loop) {
        assertThatThrownBy(() -> loop.callSoon(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> loop.post(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aCallbackThatRequeuesItselfStarvesNobody(EventLoop loop) {
        var stop = new AtomicBoolean();
        var rounds = new int[1];
        var again = new Runnable[1];
        again[0] = () -> {
            rounds[0]++;
            if (!stop.get()) {
                loop.callSoon(again[0]);
            }
        };
        loop.callSoon(again[0]);
        loop.callLater(Duration.ofMillis(5), () -> {
            order.add("timer");
            Thread.ofPlatform()
                    .start(() -> loop.post(() -> {
                        order.add("posted");
                        loop.stop();
                    }));
        });
        loop.runForever();
        stop.set(true);
        loop.runOnce();
        assertThat(order).containsExactly("timer", "posted");
        assertThat(rounds[0]).isGreaterThan(2);
    }

    @Test
    void aHandleDoesNotHoldWhatHasRun(EventLoop loop) {
        var captured = new Object();
        var reference = new WeakReference<>(captured);
        var handle = loop.callSoon(toString(captured));
        captured = null;
        loop.runOnce();
        assertThat(gone(reference)).isTrue();
        assertThat(handle.isCancelled()).isFalse();
    }

    @Test
    void aHandleDoesNotHoldWhatWasCancelled(EventLoop loop) {
        var captured = new Object();
        var reference = new WeakReference<>(captured);
        var handle = loop.callSoon(toString(captured));
        captured = null;
        handle.cancel();
        assertThat(gone(reference)).isTrue();
        assertThat(handle.isCancelled()).isTrue();
    }

    @Test
    void aTimerDoesNotHoldWhatHasRunOrWasCancelled(EventLoop loop) {
        var fired = new Object();
        var cancelled = new Object();
        var firedReference = new WeakReference<>(fired);
        var cancelledReference = new WeakReference<>(cancelled);
        var first = loop.callLater(Duration.ZERO, toString(fired));
        var second = loop.callLater(Duration.ofHours(1), toString(cancelled));
        fired = null;
        cancelled = null;
        loop.runOnce();
        second.cancel();
        assertThat(gone(firedReference)).isTrue();
        assertThat(gone(cancelledReference)).isTrue();
        assertThat(first.when()).isLessThan(second.when());
    }

    private static Runnable toString(Object captured) {
        return () -> assertThat(captured.toString()).isNotEmpty();
    }

    private static boolean gone(WeakReference<?> reference) {
        for (int i = 0; i < 200 && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }
}
