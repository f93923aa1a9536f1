package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All values, or all outcomes, of many futures. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class CombineGatherTest {
    @Test
    @Tag("cells")
    void valuesComeInTheOrderOfTheFutures(EventLoop loop) throws Exception {
        loop.run(() -> {
            var slow = loop.spawn(() -> {
                Turns.wait(5);
                return "slow";
            });
            var quick = loop.spawn(() -> "quick");
            assertThat(Combine.gather(List.of(slow, quick)).await()).containsExactly("slow", "quick");
        });
    }

    @Test
    void nothingIsGatheredAtOnce(EventLoop loop) throws Exception {
        assertThat(Combine.gather(List.<LoopFuture<String>>of()).result()).isEmpty();
        assertThat(Combine.gatherOutcomes(List.<LoopFuture<String>>of()).result())
                .isEmpty();
    }

    @Test
    void whatIsDoneIsGatheredAtOnce(EventLoop loop) throws Exception {
        var done = List.of(LoopFuture.completed(LoopContext.current(), 1), LoopFuture.completed(null, 2));
        assertThat(Combine.gather(done).result()).containsExactly(1, 2);
    }

    @Test
    void nullIsAValue(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, two));
        two.complete("two");
        one.complete(null);
        Turns.some(loop);
        assertThat(all.result()).containsExactly(null, "two");
    }

    @Test
    void theSameFutureMayComeTwice(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, two, one));
        one.complete("one");
        Turns.some(loop);
        assertThat(all.isDone()).isFalse();
        two.complete("two");
        Turns.some(loop);
        assertThat(all.result()).containsExactly("one", "two", "one");
    }

    @Test
    void theListOfValuesIsNobodys(EventLoop loop) throws Exception {
        var all = Combine.gather(List.of(LoopFuture.completed(null, "x"))).result();
        assertThatThrownBy(() -> all.set(0, "y")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void laterChangesOfTheCollectionDoNotMatter(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var futures = new ArrayList<>(List.of(one));
        var all = Combine.gather(futures);
        futures.clear();
        one.complete("one");
        Turns.some(loop);
        assertThat(all.result()).containsExactly("one");
    }

    @Test
    @Tag("cells")
    void failsAtOnceAndTheOthersGoOn(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, two));
        two.completeExceptionally(new IOException("two"));
        Turns.some(loop);
        assertThat(all.failureOrNull()).hasMessage("two");
        assertThat(one.isDone()).isFalse();
    }

    @Test
    void aSecondFailureChangesNothing(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, two));
        two.completeExceptionally(new IOException("first"));
        one.completeExceptionally(new IOException("second"));
        Turns.some(loop);
        assertThat(all.failureOrNull()).hasMessage("first").hasNoSuppressedExceptions();
    }

    @Test
    void aCancelledFutureIsAFailure(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, two));
        one.cancel();
        Turns.some(loop);
        assertThat(all.isCancelled()).isTrue();
        assertThat(two.isDone()).isFalse();
    }

    @Test
    void aFailureThatIsThereAlreadyFailsAtOnce(EventLoop loop) {
        var one = loop.<String>createFuture();
        var all = Combine.gather(List.of(one, LoopFuture.<String>failed(null, new IOException("early"))));
        assertThat(all.failureOrNull()).hasMessage("early");
    }

    @Test
    void nullIsRefusedWithItsPlace(EventLoop loop) {
        var one = loop.<String>createFuture();
        assertThatThrownBy(() -> Combine.gather(Arrays.asList(one, null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("futures[1]");
        assertThatThrownBy(() -> Combine.<String>gather(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("futures");
        assertThatThrownBy(() -> Combine.gatherOutcomes(Arrays.asList(one, null)))
                .hasMessage("futures[1]");
        assertThatThrownBy(() -> Combine.asCompleted(Arrays.asList(null, one))).hasMessage("futures[0]");
    }

    @Test
    @Tag("cells")
    void outcomesTellHowEachEnded(EventLoop loop) throws Exception {
        loop.run(() -> {
            var value = loop.spawn(() -> "value");
            var failure = loop.<String>spawn(() -> {
                throw new IOException("failure");
            });
            var cancelled = loop.<String>createFuture();
            cancelled.cancel();
            var outcomes =
                    Combine.gatherOutcomes(List.of(value, failure, cancelled)).await();
            assertThat(outcomes).hasSize(3);
            assertThat(outcomes.get(0)).isEqualTo(new Outcome<>("value", null));
            assertThat(outcomes.get(0).get()).isEqualTo("value");
            assertThat(outcomes.get(1).isSuccess()).isFalse();
            assertThatThrownBy(outcomes.get(1)::get)
                    .isInstanceOf(IOException.class)
                    .hasMessage("failure");
            assertThat(outcomes.get(2).error()).isInstanceOf(CancellationException.class);
        });
    }

    @Test
    void outcomesWaitForTheLast(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var all = Combine.gatherOutcomes(List.of(one, two));
        one.completeExceptionally(new IOException());
        Turns.some(loop);
        assertThat(all.isDone()).isFalse();
        two.complete("two");
        Turns.some(loop);
        assertThat(all.result()).hasSize(2);
    }

    @Test
    void futuresOfTwoLoopsEndInTheCallers(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            loop.run(() -> {
                var there = other.submit(() -> "there");
                var here = loop.spawn(() -> "here");
                var all = Combine.gather(List.of(there, here));
                var thread = all.map(values -> loop.inLoop()).await();
                assertThat(thread).isTrue();
                assertThat(all.result()).containsExactly("there", "here");
            });
        }
    }

    @Test
    void aFutureOfAClosedLoopStillCounts(EventLoop loop) throws Exception {
        var other = EventLoop.create().start();
        var done = other.submit(() -> "done");
        var late = other.<String>createFuture();
        done.await();
        Thread.ofPlatform().start(other::close).join();
        var all = Combine.gather(List.of(done, late));
        Thread.ofPlatform().start(() -> late.complete("late")).join();
        Until.holds("the values have come", () -> {
            loop.runOnce();
            return all.isDone();
        });
        assertThat(all.result()).containsExactly("done", "late");
    }

    @Test
    void aThreadOutsideAnyLoopMayGather() throws Exception {
        try (var other = EventLoop.create().start()) {
            var values = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return Combine.gather(List.of(other.submit(() -> 1), other.submit(() -> 2)))
                                    .await();
                        } catch (Exception e) {
                            throw new CompletionException(e);
                        }
                    },
                    Thread::startVirtualThread);
            assertThat(values.get()).containsExactly(1, 2);
        }
    }

    @Test
    void chainsMayBeLong(EventLoop loop) throws Exception {
        var first = loop.<Integer>createFuture();
        LoopFuture<?> chain = first;
        for (int i = 0; i < 100_000; i++) {
            chain = Combine.firstCompleted(List.of(chain));
        }
        first.complete(1);
        loop.runUntilComplete(chain);
        assertThat(chain.failureOrNull()).isNull();
    }
}
