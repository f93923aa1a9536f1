package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link LoopFuture#shield}: who waits can be cancelled, what is waited for goes on. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class ShieldFutureTest {
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void theInnerTaskGoesOnWhenTheOuterIsCancelled(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var inner = loop.spawn(() -> gate.await());
        var outer = loop.spawn(() -> inner.shield().await());
        Turns.some(loop);
        outer.cancel();
        Turns.some(loop);
        assertThat(outer.isCancelled()).isTrue();
        assertThat(inner.isDone()).isFalse();
        gate.complete("value");
        Turns.some(loop);
        assertThat(inner.result()).isEqualTo("value");
        assertThat(inner.cancelling()).isZero();
    }

    @Test
    void itBringsTheValue(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(() -> {
                Turns.wait(3);
                return "value";
            });
            assertThat(inner.shield().await()).isEqualTo("value");
        });
    }

    @Test
    void itBringsTheFailure(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(Turns.failing("inner"));
            assertThatThrownBy(() -> inner.shield().await())
                    .isInstanceOf(IOException.class)
                    .hasMessage("inner");
        });
    }

    @Test
    void itBringsTheCancelOfTheInner(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(Turns::forever);
            Turns.later(loop, 3, inner::cancel);
            assertThatThrownBy(() -> inner.shield().await()).isInstanceOf(CancellationException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void aLateFailureIsReported(EventLoop loop, LoopExtension.Errors errors) {
        var gate = loop.<String>createFuture();
        var inner = loop.spawn(() -> {
            gate.await();
            Turns.failing("late").run();
        });
        var shield = inner.shield();
        Turns.some(loop);
        shield.cancel();
        gate.complete("x");
        Turns.some(loop);
        assertThat(errors.take()).singleElement().satisfies(report -> {
            assertThat(report.exception()).hasMessage("late");
            assertThat(report.message()).contains("shield");
        });
    }

    @Test
    void aLateCancelIsNotReported(EventLoop loop) {
        var inner = loop.<String>createFuture();
        inner.shield().cancel();
        inner.cancel();
        Turns.some(loop);
        assertThat(inner.isCancelled()).isTrue();
    }

    @Test
    void eachWaiterHasAShieldOfItsOwn(EventLoop loop) throws Exception {
        var inner = loop.<String>createFuture();
        var first = loop.spawn(() -> inner.shield().await());
        var second = loop.spawn(() -> inner.shield().await());
        Turns.some(loop);
        first.cancel();
        Turns.some(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(second.isDone()).isFalse();
        inner.complete("value");
        Turns.some(loop);
        assertThat(second.result()).isEqualTo("value");
    }

    @Test
    void aDoneFutureBehindItIsThereInATurn(EventLoop loop) throws Exception {
        loop.run(() -> {
            order.add(LoopFuture.completed(null, "value").shield().await());
        });
        assertThat(order).containsExactly("value");
    }

    @Test
    void aGroupCanBeLeftWhileTheFutureGoesOn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inner = loop.spawn(() -> {
                Turns.wait(8);
                return "value";
            });
            TaskGroup.run(group -> {
                group.spawn(() -> inner.shield().await());
                Turns.wait(3);
                group.cancel();
            });
            assertThat(inner.isDone()).isFalse();
            assertThat(inner.await()).isEqualTo("value");
            Turns.assertBalanced();
        });
    }
}
