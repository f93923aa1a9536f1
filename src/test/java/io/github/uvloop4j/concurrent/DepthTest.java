package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Long chains: none is followed by recursion, so that no stack is too small for them. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class DepthTest {
    private static final int NESTED = 10_000;
    private static final int CHAIN = 100_000;

    private interface Innermost {
        int get() throws Exception;
    }

    private static int nest(EventLoop loop, int depth, Innermost innermost) throws Exception {
        if (depth == 0) {
            return innermost.get();
        }
        return loop.<Integer>spawn("", () -> nest(loop, depth - 1, innermost)).await() + 1;
    }

    @Test
    @Tag("cells")
    void tasksAwaitEachOtherTenThousandDeep(EventLoop loop) throws Exception {
        assertThat(loop.<Integer>run(() -> nest(loop, NESTED, () -> 0))).isEqualTo(NESTED);
    }

    @Test
    void aFailureGoesUpThroughTenThousandTasks(EventLoop loop) {
        var failure = new IOException("at the bottom");
        assertThatThrownBy(() -> loop.<Integer>run(() -> nest(loop, NESTED, () -> {
                    throw failure;
                })))
                .isSameAs(failure);
    }

    @Test
    @Tag("cells")
    void aCancelGoesDownThroughTenThousandTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var reached = loop.<String>createFuture();
            var last = new ArrayList<Throwable>();
            var outermost = loop.<Integer>spawn(() -> nest(loop, NESTED, () -> {
                reached.complete("x");
                try {
                    Turns.forever();
                } catch (CancellationException cancelled) {
                    last.add(cancelled);
                    throw cancelled;
                }
                return 0;
            }));
            reached.await();
            outermost.cancel();
            assertThatThrownBy(outermost::await).isInstanceOf(CancellationException.class);
            assertThat(last).hasSize(1);
            assertThat(loop.taskCount()).isEqualTo(1);
        });
    }

    private static int submit(EventLoop loop, int depth, LoopFuture<String> reached) throws Exception {
        if (depth == 0) {
            reached.complete("x");
            Turns.forever();
        }
        return loop.submit(() -> submit(loop, depth - 1, reached)).await();
    }

    @Test
    void aCancelGoesDownThroughTenThousandSubmittedTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var reached = loop.<String>createFuture();
            var outermost = loop.<Integer>spawn(() -> submit(loop, NESTED, reached));
            reached.await();
            outermost.cancel();
            assertThatThrownBy(outermost::await).isInstanceOf(CancellationException.class);
            Turns.wait(NESTED * 3);
            assertThat(loop.taskCount()).isEqualTo(1);
        });
    }

    private static int gather(EventLoop loop, int depth, LoopFuture<String> reached) throws Exception {
        if (depth == 0) {
            reached.complete("x");
            Turns.forever();
        }
        var inner = loop.<Integer>spawn("", () -> gather(loop, depth - 1, reached));
        return Combine.gather(List.of(inner)).await().getFirst();
    }

    @Test
    void aCancelGoesDownThroughTenThousandTasksThatGather(EventLoop loop) throws Exception {
        loop.run(() -> {
            var reached = loop.<String>createFuture();
            var outermost = loop.<Integer>spawn(() -> gather(loop, NESTED, reached));
            reached.await();
            outermost.cancel();
            assertThatThrownBy(outermost::await).isInstanceOf(CancellationException.class);
            Turns.wait(NESTED * 3);
            assertThat(loop.taskCount()).isEqualTo(1);
        });
    }

    @Test
    void gathersOfGathersAreCancelledTenThousandDeep(EventLoop loop) throws Exception {
        loop.run(() -> {
            var source = loop.<Object>createFuture();
            LoopFuture<?> joined = source;
            for (int i = 0; i < NESTED; i++) {
                joined = Combine.gather(List.of(joined));
            }
            assertThat(joined.cancel()).isTrue();
            assertThat(source.isCancelled()).isTrue();
            Turns.wait(NESTED);
            assertThat(joined.isCancelled()).isTrue();
        });
    }

    private static int recurse(EventLoop loop, int depth) throws Exception {
        Turns.one();
        return depth == 0 ? 0 : 1 + recurse(loop, depth - 1);
    }

    @Test
    @Tag("cells")
    void callsNestTenThousandDeepAndEachAwaits(EventLoop loop) throws Exception {
        assertThat(loop.<Integer>run(() -> recurse(loop, NESTED))).isEqualTo(NESTED);
    }

    private static LoopFuture<Integer> compose(EventLoop loop, int depth) {
        var now = LoopFuture.completed(LoopContext.current(), 1);
        return depth == 0 ? now : now.compose(one -> compose(loop, depth - 1).map(count -> count + one));
    }

    @Test
    void futuresAreComposedTenThousandDeep(EventLoop loop) throws Exception {
        assertThat(loop.<Integer>run(() -> compose(loop, NESTED).await())).isEqualTo(NESTED + 1);
    }

    @Test
    void anOuterStageFollowsTenThousandFutures(EventLoop loop) throws Exception {
        loop.run(() -> {
            var first = loop.<Integer>createFuture();
            LoopFuture<Integer> last = first;
            for (int i = 0; i < CHAIN; i++) {
                last = i % 2 == 0 ? last.map(n -> n + 1) : last.compose(n -> LoopFuture.completed(null, n + 1));
            }
            first.complete(0);
            assertThat(last.await()).isEqualTo(CHAIN);
        });
    }

    @Test
    @Tag("cells")
    void completedFuturesAreChained(EventLoop loop) throws Exception {
        loop.run(() -> {
            var last = LoopFuture.<Integer>completed(LoopContext.current(), 0);
            for (int i = 0; i < CHAIN; i++) {
                last = last.map(n -> n + 1);
                if (i % 100 == 0) {
                    assertThat(last.await()).isEqualTo(i + 1);
                }
            }
            assertThat(last.await()).isEqualTo(CHAIN);
        });
    }

    @Test
    void completedFuturesAreAwaitedOneAfterTheOther(EventLoop loop) throws Exception {
        loop.run(() -> {
            long sum = 0;
            for (int i = 0; i < CHAIN; i++) {
                sum += LoopFuture.completed(LoopContext.current(), 1).await();
            }
            assertThat(sum).isEqualTo(CHAIN);
        });
    }

    @Test
    void aChainGoesThroughCompletableFutures(EventLoop loop) throws Exception {
        loop.run(() -> {
            var context = LoopContext.current();
            var first = loop.<Integer>createFuture();
            LoopFuture<Integer> last = first;
            for (int i = 0; i < CHAIN / 4; i++) {
                last = LoopFuture.from(context, last.toCompletableFuture().thenApply(n -> n + 1));
            }
            first.complete(0);
            assertThat(last.await()).isEqualTo(CHAIN / 4);
        });
    }

    @Test
    void aChainWithoutALoopIsFollowedWithoutRecursion(EventLoop loop) throws Exception {
        var first = new LoopFuture<Integer>();
        LoopFuture<Integer> last = first;
        for (int i = 0; i < CHAIN; i++) {
            last = i % 2 == 0 ? last.map(n -> n + 1) : last.compose(n -> LoopFuture.completed(null, n + 1));
        }
        first.complete(0);
        assertThat(last.get()).isEqualTo(CHAIN);
    }

    @Test
    void aChainWithoutALoopGoesThroughCompletableFutures(EventLoop loop) throws Exception {
        var first = new LoopFuture<Integer>();
        LoopFuture<Integer> last = first;
        for (int i = 0; i < CHAIN / 4; i++) {
            last = LoopFuture.from(null, last.toCompletableFuture().thenApply(n -> n + 1));
        }
        first.complete(0);
        assertThat(last.get()).isEqualTo(CHAIN / 4);
    }

    @Test
    void gathersWithoutALoopEndTenThousandDeep() throws Exception {
        var ended = CompletableFuture.supplyAsync(() -> {
            var source = new LoopFuture<String>();
            LoopFuture<?> joined = source;
            for (int i = 0; i < NESTED; i++) {
                joined = Combine.gather(List.of(joined));
            }
            source.complete("x");
            return joined.isDone();
        });
        assertThat(ended.get()).isTrue();
    }

    @Test
    void gathersWithoutALoopAreCancelledTenThousandDeep() throws Exception {
        var cancelled = CompletableFuture.supplyAsync(() -> {
            var source = new LoopFuture<String>();
            LoopFuture<?> joined = source;
            for (int i = 0; i < NESTED; i++) {
                joined = Combine.gather(List.of(joined));
            }
            return joined.cancel() && source.isCancelled() && joined.isCancelled();
        });
        assertThat(cancelled.get()).isTrue();
    }

    @Test
    void aFutureTellsAHundredThousandCallbacks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.<String>createFuture();
            var order = new ArrayList<Integer>();
            for (int i = 0; i < CHAIN; i++) {
                int number = i;
                future.onDone(() -> order.add(number));
            }
            future.complete("x");
            Turns.wait(3);
            assertThat(order).hasSize(CHAIN).isSorted();
        });
    }

    @Test
    void eachCallbackMayAddTheNext(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = LoopFuture.completed(LoopContext.current(), "x");
            var count = new AtomicInteger();
            var done = loop.<String>createFuture();
            future.onDone(new Runnable() {
                @Override
                public void run() {
                    if (count.incrementAndGet() < CHAIN) {
                        future.onDone(this);
                    } else {
                        done.complete("x");
                    }
                }
            });
            done.await();
            assertThat(count).hasValue(CHAIN);
        });
    }

    @Test
    @Tag("cells")
    void gatherTakesAHundredThousandFutures(EventLoop loop) throws Exception {
        loop.run(() -> {
            var futures = new ArrayList<LoopFuture<Integer>>();
            for (int i = 0; i < CHAIN; i++) {
                futures.add(loop.createFuture());
            }
            var all = Combine.gather(futures);
            var shuffled = new ArrayList<>(futures);
            Collections.shuffle(shuffled, new java.util.Random(1));
            shuffled.forEach(future -> future.complete(futures.size()));
            assertThat(all.await()).hasSize(CHAIN).containsOnly(CHAIN);
        });
    }
}
