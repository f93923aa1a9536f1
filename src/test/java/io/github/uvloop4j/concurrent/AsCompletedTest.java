package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Futures as they end. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class AsCompletedTest {
    private final ArrayList<String> order = new ArrayList<>();

    private static LoopFuture<String> after(EventLoop loop, int turns, String value) {
        var future = loop.<String>createFuture();
        Turns.later(loop, turns, () -> future.complete(value));
        return future;
    }

    @Test
    @Tag("cells")
    void comesInTheOrderOfTheEnds(EventLoop loop) throws Exception {
        loop.run(() -> {
            var futures = List.of(after(loop, 9, "c"), after(loop, 3, "a"), after(loop, 6, "b"));
            for (var future : Combine.asCompleted(futures)) {
                assertThat(future.isDone()).isTrue();
                order.add(future.result());
            }
        });
        assertThat(order).containsExactly("a", "b", "c");
    }

    @Test
    void whatIsDoneComesFirstInTheOrderOfTheList(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pending = after(loop, 3, "pending");
            var futures =
                    List.of(pending, LoopFuture.completed(null, "one"), LoopFuture.completed(null, "two"), pending);
            for (var future : Combine.asCompleted(futures)) {
                order.add(future.result());
            }
        });
        assertThat(order).containsExactly("one", "two", "pending", "pending");
    }

    @Test
    void failuresComeAsFutures(EventLoop loop) throws Exception {
        loop.run(() -> {
            var failed = loop.spawn(Turns.failing("failed"));
            var cancelled = loop.<String>createFuture();
            Turns.later(loop, 5, cancelled::cancel);
            var ended = new ArrayList<LoopFuture<?>>();
            Combine.<LoopFuture<?>>asCompleted(List.of(cancelled, failed)).forEach(ended::add);
            assertThat(ended).containsExactly(failed, cancelled);
            assertThat(failed.failureOrNull()).isInstanceOf(IOException.class);
        });
    }

    @Test
    void whatEndsBetweenTwoCallsKeepsItsOrder(EventLoop loop) throws Exception {
        loop.run(() -> {
            var futures = List.of(after(loop, 4, "b"), after(loop, 2, "a"), after(loop, 20, "c"));
            var iterator = Combine.asCompleted(futures).iterator();
            Turns.wait(10);
            while (iterator.hasNext()) {
                order.add(iterator.next().result());
            }
        });
        assertThat(order).containsExactly("a", "b", "c");
    }

    @Test
    void theEndOfTheFuturesIsTheEndOfTheIteration(EventLoop loop) {
        var iterator =
                Combine.asCompleted(List.of(LoopFuture.completed(null, "x"))).iterator();
        iterator.next();
        assertThat(iterator.hasNext()).isFalse();
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
        assertThat(Combine.asCompleted(List.<LoopFuture<String>>of())).isEmpty();
    }

    @Test
    void eachIterationStartsAnew(EventLoop loop) throws Exception {
        loop.run(() -> {
            var completed = Combine.asCompleted(List.of(after(loop, 3, "x")));
            for (int i = 0; i < 2; i++) {
                for (var future : completed) {
                    order.add(future.result());
                }
            }
        });
        assertThat(order).containsExactly("x", "x");
    }

    @Test
    @Tag("cells")
    void aCancelInNextLosesNothing(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            var iterator = Combine.asCompleted(List.of(one, two)).iterator();
            try {
                iterator.next();
            } catch (CancellationException e) {
                Task.current().uncancel();
                order.add("cancelled");
            }
            order.add(iterator.next().result());
            order.add(iterator.next().result());
        });
        Turns.some(loop);
        task.cancel();
        assertThat(one.isDone()).as("futures are not cancelled").isFalse();
        Turns.some(loop);
        two.complete("two");
        one.complete("one");
        Turns.some(loop);
        assertThat(task.failureOrNull()).isNull();
        assertThat(order).containsExactly("cancelled", "two", "one");
    }

    @Test
    void theBareLoopThreadIsRefused(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        var pending = loop.<String>createFuture();
        var refused = loop.<Throwable>createFuture();
        loop.callSoon(() -> {
            try {
                Combine.asCompleted(List.of(pending)).iterator().next();
            } catch (Throwable error) {
                refused.complete(error);
            }
        });
        assertThat(loop.runUntilComplete(refused))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("wait in a task");
    }

    @Test
    void aThreadOutsideAnyLoopBlocks() throws Exception {
        try (var loop = EventLoop.create().start()) {
            var gate = loop.<String>createFuture();
            var second = gate.map(value -> value + " second");
            var thread = Thread.ofPlatform().start(() -> {
                for (var future : Combine.asCompleted(List.of(second, gate))) {
                    order.add(future.toString());
                }
            });
            Until.holds("the thread waits", () -> Until.waits(thread));
            loop.post(() -> gate.complete("gate"));
            thread.join();
            assertThat(order).containsExactly(gate.toString(), second.toString());
        }
    }

    @Test
    void futuresOfOtherLoopsAndOfNoneCome(EventLoop loop) throws Exception {
        try (var one = EventLoop.create().start();
                var two = EventLoop.create().start()) {
            loop.run(() -> {
                var futures = new ArrayList<LoopFuture<Integer>>();
                for (int i = 0; i < 1_000; i++) {
                    int value = i;
                    futures.add((i & 1) == 0 ? one.submit(() -> value) : two.submit(() -> value));
                }
                int sum = 0;
                for (var future : Combine.asCompleted(futures)) {
                    sum += future.result();
                }
                assertThat(sum).isEqualTo(499_500);
            });
        }
    }

    @Test
    void whoLeavesEarlyIsForgotten(EventLoop loop) throws Exception {
        var endless = loop.<String>createFuture();
        var left = loop.run(() -> new WeakReference<>(firstOf(loop, endless)));
        Until.holds("the first result is gone", () -> {
            System.gc();
            return left.get() == null;
        });
        assertThat(endless.isDone()).isFalse();
    }

    private static Object firstOf(EventLoop loop, LoopFuture<String> endless) throws Exception {
        for (var future : Combine.asCompleted(List.of(endless, after(loop, 2, "quick")))) {
            return future;
        }
        throw new AssertionError("nothing came");
    }
}
