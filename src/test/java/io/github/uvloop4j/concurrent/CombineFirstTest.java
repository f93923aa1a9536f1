package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The first that ends, and the first that succeeds. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class CombineFirstTest {
    private static List<LoopFuture<String>> three(EventLoop loop) {
        return List.of(loop.createFuture(), loop.createFuture(), loop.createFuture());
    }

    private static LoopFuture<String> failed(String message) {
        return LoopFuture.failed(null, new IOException(message));
    }

    @Test
    @Tag("cells")
    void theFirstToEndIsIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var slow = loop.spawn(() -> {
                Turns.wait(8);
                return "slow";
            });
            var quick = loop.spawn(() -> "quick");
            assertThat(Combine.firstCompleted(List.of(slow, quick)).await()).isSameAs(quick);
            assertThat(slow.isDone()).isFalse();
            assertThat(slow.await()).isEqualTo("slow");
        });
    }

    @Test
    void aFailureIsAnEnd(EventLoop loop) throws Exception {
        var futures = three(loop);
        var first = Combine.firstCompleted(futures);
        futures.get(1).completeExceptionally(new IOException("one"));
        Turns.some(loop);
        assertThat(first.result()).isSameAs(futures.get(1));
        assertThat(first.result().failureOrNull()).hasMessage("one");
    }

    @Test
    void inOneTurnItIsWhichEndedFirst(EventLoop loop) throws Exception {
        var futures = three(loop);
        var first = Combine.firstCompleted(futures);
        futures.get(2).complete("two");
        futures.get(0).complete("zero");
        Turns.some(loop);
        assertThat(first.result()).isSameAs(futures.get(2));
    }

    @Test
    void ofThoseThatAreDoneItIsTheFirstInTheList(EventLoop loop) throws Exception {
        var futures = three(loop);
        futures.get(2).complete("two");
        futures.get(1).cancel();
        assertThat(Combine.firstCompleted(futures).result()).isSameAs(futures.get(1));
    }

    @Test
    void noneIsRefused(EventLoop loop) {
        assertThatThrownBy(() -> Combine.firstCompleted(List.<LoopFuture<String>>of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no futures to wait for");
        assertThatThrownBy(() -> Combine.firstSuccessful(List.<LoopFuture<String>>of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no futures to wait for");
    }

    @Test
    @Tag("cells")
    void failuresAndCancelsDoNotSucceed(EventLoop loop) throws Exception {
        var futures = three(loop);
        var first = Combine.firstSuccessful(futures);
        futures.get(0).completeExceptionally(new IOException("zero"));
        futures.get(1).cancel();
        Turns.some(loop);
        assertThat(first.isDone()).isFalse();
        futures.get(2).complete("two");
        Turns.some(loop);
        assertThat(first.result()).isEqualTo("two");
    }

    @Test
    void nullIsASuccess(EventLoop loop) throws Exception {
        var first = Combine.firstSuccessful(List.of(failed("x"), LoopFuture.<String>completed(null, null)));
        assertThat(first.result()).isNull();
    }

    @Test
    void allFailuresComeTogetherInTheOrderOfTime(EventLoop loop) {
        var futures = three(loop);
        var first = Combine.firstSuccessful(futures);
        for (int i : List.of(1, 2, 0)) {
            futures.get(i).completeExceptionally(new IOException("failure " + i));
        }
        Turns.some(loop);
        var group = (TaskGroupException) first.failureOrNull();
        assertThat(group.failures())
                .extracting(Throwable::getMessage)
                .containsExactly("failure 1", "failure 2", "failure 0");
        assertThat(group.getCause()).isSameAs(group.first());
        assertThat(group).hasMessageContaining("3 tasks failed");
    }

    @Test
    void theSameFailureComesOnceAndStaysAsItWas(EventLoop loop) {
        var same = new IOException("same");
        var future = LoopFuture.<String>failed(null, same);
        var first = Combine.firstSuccessful(List.of(future, LoopFuture.<String>failed(null, same), future));
        assertThat(((TaskGroupException) first.failureOrNull()).failures()).containsExactly(same);
        assertThat(same).hasNoSuppressedExceptions();
    }

    @Test
    void cancelsAreNoFailuresBesideOthers(EventLoop loop) {
        var futures = three(loop);
        var first = Combine.firstSuccessful(futures);
        futures.get(0).cancel();
        futures.get(1).completeExceptionally(new IOException("one"));
        futures.get(2).cancel();
        Turns.some(loop);
        assertThat(first.isCancelled()).isFalse();
        assertThat(((TaskGroupException) first.failureOrNull()).failures())
                .singleElement()
                .satisfies(error -> assertThat(error).hasMessage("one"));
    }

    @Test
    void isCancelledWhenAllAre(EventLoop loop) {
        var futures = three(loop);
        var first = Combine.firstSuccessful(futures);
        futures.forEach(LoopFuture::cancel);
        Turns.some(loop);
        assertThat(first.failureOrNull()).isInstanceOf(CancellationException.class);
    }

    @Test
    void theOthersGoOn(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            var slow = loop.spawn(() -> {
                Turns.wait(8);
                order.add("slow");
                return "slow";
            });
            assertThat(Combine.firstSuccessful(List.of(slow, loop.spawn(() -> "quick")))
                            .await())
                    .isEqualTo("quick");
            slow.await();
        });
        assertThat(order).containsExactly("slow");
    }

    @Test
    void theFirstOfTwoLoops(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            loop.run(() -> {
                var never = loop.<String>createFuture();
                var there = other.submit(() -> "there");
                assertThat(Combine.firstSuccessful(List.of(never, there)).await())
                        .isEqualTo("there");
                assertThat(Combine.<LoopFuture<String>>firstCompleted(List.of(never, there))
                                .await())
                        .isSameAs(there);
            });
        }
    }
}
