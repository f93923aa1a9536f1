package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where a cancel finds a task, and what it does there. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskCancelTest {
    private final ArrayList<String> order = new ArrayList<>();

    private static void turns(EventLoop loop) {
        for (int i = 0; i < 5; i++) {
            loop.runOnce();
        }
    }

    @Test
    @Tag("cells")
    void beforeTheStartTheBodyNeverRuns(EventLoop loop) {
        var task = loop.spawn((TaskBody) () -> order.add("body"));
        assertThat(task.cancel()).isTrue();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    @Tag("cells")
    void arrivesAtTheAwait(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                gate.await();
            } catch (CancellationException e) {
                order.add("cancelled");
                throw e;
            } finally {
                order.add("finally");
            }
        });
        turns(loop);
        task.cancel();
        assertThat(task.isDone()).as("a cancel is a request").isFalse();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("cancelled", "finally");
    }

    @Test
    void reachesWhatIsAwaited(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        turns(loop);
        task.cancel();
        assertThat(gate.isCancelled()).isTrue();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void goesDownAChainAndWaitsForItsEnd(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var cleanUp = loop.<String>createFuture();
        var inner = loop.spawn(() -> {
            try {
                gate.await();
            } finally {
                cleanUp.await();
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
        turns(loop);
        outer.cancel();
        turns(loop);
        assertThat(gate.isCancelled()).isTrue();
        assertThat(outer.isDone()).as("the inner task is not done").isFalse();
        cleanUp.complete("x");
        turns(loop);
        assertThat(inner.isCancelled()).isTrue();
        assertThat(outer.isCancelled()).isTrue();
        assertThat(order).containsExactly("inner", "outer");
    }

    @Test
    void winsWhenTheInnerTaskSwallowsIt(EventLoop loop) {
        var gate = loop.<String>createFuture();
        Callable<String> swallower = () -> {
            try {
                return gate.await();
            } catch (CancellationException e) {
                return "swallowed";
            }
        };
        var inner = loop.spawn(swallower);
        var outer = loop.spawn(() -> inner.await());
        turns(loop);
        outer.cancel();
        turns(loop);
        assertThat(outer.isCancelled()).isTrue();
        assertThat(inner.failureOrNull()).isNull();
    }

    @Test
    @Tag("cells")
    void winsOverACompletionOfTheSameTurn(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        turns(loop);
        gate.complete("x");
        task.cancel();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(gate.result()).as("the result is still there").isEqualTo("x");
    }

    @Test
    void winsOverATimedAwaitThatHasItsResult(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await(Duration.ofSeconds(50)));
        turns(loop);
        gate.complete("x");
        task.cancel();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(gate.result()).isEqualTo("x");
    }

    @Test
    void isNotSwallowedByATimeout(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await(Duration.ofSeconds(50)));
        turns(loop);
        task.cancel();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(gate.isCancelled()).isTrue();
    }

    @Test
    void aCompletionAfterItIsTooLate(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        turns(loop);
        task.cancel();
        assertThat(gate.complete("x")).isFalse();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void arrivesAtTheNextAwaitOfARunningTask(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.current().cancel();
            order.add("goes on");
            loop.createFuture().await();
            order.add("not here");
        });
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("goes on");
    }

    @Test
    void reachesATaskThatParks(EventLoop loop) {
        var task = loop.spawn(() -> {
            while (true) {
                Task.current().park();
            }
        });
        turns(loop);
        task.cancel();
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void endsATaskThatReturnsWithoutAwaiting(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.current().cancel();
            return "x";
        });
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void cleanUpMayAwait(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var cleanUp = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                gate.await();
            } finally {
                order.add(cleanUp.await());
            }
        });
        turns(loop);
        task.cancel();
        turns(loop);
        assertThat(task.isDone()).isFalse();
        cleanUp.complete("clean");
        turns(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("clean");
    }

    @Test
    void aFailureOfTheCleanUpIsTheOutcome(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                gate.await();
            } finally {
                if (gate.isCancelled()) {
                    throw new IOException("clean-up");
                }
            }
        });
        turns(loop);
        task.cancel();
        turns(loop);
        assertThat(task.failureOrNull()).isInstanceOf(IOException.class);
    }

    @Test
    void ofOneWaiterReachesTheOthersOfTheSameFuture(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var first = loop.spawn(() -> gate.await());
        var second = loop.spawn(() -> gate.await());
        turns(loop);
        first.cancel();
        turns(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(second.isCancelled())
                .as("as asyncio has it, without a shield")
                .isTrue();
        assertThat(second.cancelling()).isZero();
    }
}
