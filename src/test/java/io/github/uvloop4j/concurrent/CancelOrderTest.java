package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cancel and something else in one turn: what came first wins, and nothing is swallowed. Also chains of tasks. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class CancelOrderTest {
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    @Tag("cells")
    void aValueThatCameFirstIsReturnedAndTheNextAwaitThrows(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            order.add(gate.await());
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        gate.complete("value");
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("value");
    }

    @Test
    void aValueThatCameFirstIsReturnedByATimedAwaitToo(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            order.add(gate.await(Duration.ofSeconds(50)));
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        gate.complete("value");
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("value");
    }

    @Test
    void aFailureThatCameFirstIsThrownAndTheNextAwaitThrows(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                gate.await();
            } catch (IOException e) {
                order.add(e.getMessage());
            }
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        gate.completeExceptionally(new IOException("failed"));
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("failed");
    }

    @Test
    void aTaskThatEndedFirstKeepsItsOutcome(EventLoop loop) throws Exception {
        var inner = loop.spawn(() -> "value");
        var outer = loop.spawn(() -> {
            order.add(inner.await());
            Turns.one();
            order.add("not here");
        });
        loop.runOnce();
        assertThat(inner.isDone()).isTrue();
        outer.cancel();
        Turns.some(loop);
        assertThat(outer.isCancelled()).isTrue();
        assertThat(inner.result()).isEqualTo("value");
        assertThat(order).containsExactly("value");
    }

    @Test
    void twoCancelsBeforeTheTaskGoesOnArriveAsOne(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                Turns.forever();
            } finally {
                Turns.wait(3);
                order.add("cleaned up");
            }
        });
        Turns.some(loop);
        task.cancel();
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.cancelling()).isEqualTo(2);
        assertThat(order).containsExactly("cleaned up");
    }

    @Test
    void aResourceThatNobodyGetsIsReported(EventLoop loop, LoopExtension.Errors errors) {
        AutoCloseable resource = new AutoCloseable() {
            @Override
            public void close() {
                order.add("closed");
            }

            @Override
            public String toString() {
                return "the resource";
            }
        };
        var gate = loop.<AutoCloseable>createFuture();
        var task = loop.spawn("opener", () -> gate.await());
        Turns.some(loop);
        gate.complete(resource);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(errors.take()).singleElement().satisfies(report -> {
            assertThat(report.message()).contains("task opener").contains("nobody will close");
            assertThat(report.exception()).hasMessageContaining("the resource");
            assertThat(report.source()).isSameAs(task);
        });
    }

    @Test
    void aPlainValueThatNobodyGetsIsNotReported(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.current().cancel();
            return "value";
        });
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void theMessageNamesTheTask(EventLoop loop) {
        var task = loop.spawn("mine", Turns::forever);
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.failureOrNull()).hasMessage("task mine was cancelled");
    }

    @Test
    @Tag("cells")
    void aTaskThatWaitsForATaskEndsAfterIt(EventLoop loop) {
        var inner = loop.spawn(() -> {
            try {
                Turns.forever();
            } finally {
                Turns.wait(3);
                order.add("inner");
            }
        });
        var outer = loop.spawn(() -> {
            try {
                inner.await();
            } finally {
                order.add("outer");
            }
        });
        Turns.some(loop);
        outer.cancel();
        Turns.some(loop);
        Turns.some(loop);
        assertThat(inner.isCancelled()).isTrue();
        assertThat(outer.isCancelled()).isTrue();
        assertThat(order).containsExactly("inner", "outer");
    }

    /** The last of so many tasks that each await the one before; the first one awaits a future. */
    private static Task<String> chain(EventLoop loop, LoopFuture<String> gate, int length) {
        LoopFuture<String> previous = gate;
        Task<String> last = null;
        for (int i = 0; i < length; i++) {
            var awaited = previous;
            last = loop.spawn(() -> awaited.await());
            previous = last;
        }
        return last;
    }

    @Test
    void aChainOfTasksBringsTheValue(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var last = chain(loop, gate, 1_000);
        Turns.some(loop);
        gate.complete("value");
        assertThat(loop.runUntilComplete(last)).isEqualTo("value");
    }

    @Test
    @Tag("cells")
    void aChainOfAThousandTasksIsCancelledDownToItsEnd(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var last = chain(loop, gate, 1_000);
        Turns.some(loop);
        last.cancel();
        assertThat(gate.isCancelled()).isTrue();
        loop.run(() -> {
            last.handle((value, error) -> error).await();
        });
        assertThat(last.isCancelled()).isTrue();
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    void aChainOfFiftyThousandTasksIsCancelledWithoutAnOverflow(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var last = chain(loop, gate, 50_000);
        Turns.some(loop);
        last.cancel();
        assertThat(gate.isCancelled()).isTrue();
        loop.run(() -> {
            last.handle((value, error) -> error).await();
        });
        assertThat(last.isCancelled()).isTrue();
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    void aTaskInTheMiddleOfAChainTakesBothSidesAlong(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var inner = loop.spawn(() -> gate.await());
        var middle = loop.spawn(() -> inner.await());
        var outer = loop.spawn(() -> middle.await());
        Turns.some(loop);
        middle.cancel();
        Turns.some(loop);
        assertThat(inner.isCancelled()).isTrue();
        assertThat(middle.isCancelled()).isTrue();
        assertThat(outer.isCancelled()).isTrue();
        assertThat(outer.cancelling()).as("nobody asked it").isZero();
    }

    @Test
    void aCancelledFutureIsNoCancelOfTheTask(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            Turns.later(loop, 2, gate::cancel);
            try {
                gate.await();
            } catch (CancellationException e) {
                order.add("cancelled");
            }
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("cancelled");
    }
}
