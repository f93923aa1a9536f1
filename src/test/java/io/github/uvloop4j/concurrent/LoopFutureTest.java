package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outcomes and callbacks of a future that has no loop. */
@Timeout(60)
class LoopFutureTest {
    private final LoopFuture<String> future = new LoopFuture<>();
    private final IOException failure = new IOException("broken");

    @Test
    void isPendingAtFirst() {
        assertThat(future.isDone()).isFalse();
        assertThat(future.isCancelled()).isFalse();
        assertThat(future.isCompletedExceptionally()).isFalse();
        assertThat(future.failureOrNull()).isNull();
        assertThat(future.state()).isEqualTo(Future.State.RUNNING);
        assertThat(future).asString().contains("pending");
    }

    @Test
    void holdsItsValue() throws Exception {
        assertThat(future.complete("x")).isTrue();
        assertThat(future.isDone()).isTrue();
        assertThat(future.result()).isEqualTo("x");
        assertThat(future.get()).isEqualTo("x");
        assertThat(future.await()).isEqualTo("x");
        assertThat(future.resultNow()).isEqualTo("x");
        assertThat(future.failureOrNull()).isNull();
        assertThat(future).asString().contains("done");
    }

    @Test
    void canHoldNull() throws Exception {
        var ended = new ArrayList<String>();
        var nothing = new LoopFuture<String>();
        nothing.whenDone((value, error) -> ended.add(value + " " + error));
        nothing.complete(null);
        assertThat(nothing.isDone()).isTrue();
        assertThat(nothing.result()).isNull();
        assertThat(nothing.await()).isNull();
        assertThat(nothing.get()).isNull();
        assertThat(ended).containsExactly("null null");
    }

    @Test
    void resultThrowsWhatItFailedWith() {
        assertThat(future.completeExceptionally(failure)).isTrue();
        assertThat(future.isCompletedExceptionally()).isTrue();
        assertThat(future.isCancelled()).isFalse();
        assertThat(future.failureOrNull()).isSameAs(failure);
        assertThat(future.state()).isEqualTo(Future.State.FAILED);
        assertThatThrownBy(future::result).isSameAs(failure);
        assertThatThrownBy(future::await).isSameAs(failure);
        assertThat(future).asString().contains("failed").contains("broken");
    }

    @Test
    void getWrapsTheFailure() {
        future.completeExceptionally(failure);
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCause(failure);
        assertThatThrownBy(() -> future.get(1, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
    }

    @Test
    void anErrorIsAFailureToo() {
        var error = new AssertionError("x");
        future.completeExceptionally(error);
        assertThatThrownBy(future::await).isSameAs(error);
    }

    @Test
    void cancelMakesItThrowCancellationException() {
        assertThat(future.cancel()).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(future.isDone()).isTrue();
        assertThat(future.state()).isEqualTo(Future.State.CANCELLED);
        assertThatThrownBy(future::result).isInstanceOf(CancellationException.class);
        assertThatThrownBy(future::await).isInstanceOf(CancellationException.class);
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        assertThat(future).asString().contains("cancelled");
    }

    @Test
    void failingWithACancellationExceptionIsBeingCancelled() {
        var cancellation = new CancellationException("mine");
        future.completeExceptionally(cancellation);
        assertThat(future.isCancelled()).isTrue();
        assertThatThrownBy(future::await).isSameAs(cancellation);
    }

    @Test
    void onlyTheFirstOutcomeCounts() throws Exception {
        future.complete("x");
        assertThat(future.complete("y")).isFalse();
        assertThat(future.completeExceptionally(failure)).isFalse();
        assertThat(future.cancel()).isFalse();
        assertThat(future.cancel(false)).isFalse();
        assertThat(future.result()).isEqualTo("x");
    }

    @Test
    void completingACancelledFutureIsRefusedQuietly() {
        future.cancel();
        assertThat(future.complete("x")).isFalse();
        assertThat(future.completeExceptionally(failure)).isFalse();
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void resultOfAPendingFutureIsAMistake() {
        assertThatThrownBy(future::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not done");
    }

    @Test
    void refusesANullFailure() {
        assertThatThrownBy(() -> future.completeExceptionally(null)).isInstanceOf(NullPointerException.class);
        assertThat(future.isDone()).isFalse();
    }

    @Test
    void refusesNullCallbacks() {
        assertThatThrownBy(() -> future.whenDone(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> future.onDone(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> future.then(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> future.map(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> future.compose(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> future.handle(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void madeDoneIsDone() throws Exception {
        assertThat(LoopFuture.completed(null, "x").result()).isEqualTo("x");
        assertThat(LoopFuture.completed(null, null).result()).isNull();
        assertThatThrownBy(LoopFuture.failed(null, failure)::result).isSameAs(failure);
        assertThat(LoopFuture.failed(null, new CancellationException()).isCancelled())
                .isTrue();
    }

    @Test
    void callbacksRunInTheOrderOfTheirAddition() {
        var order = new ArrayList<Integer>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            future.onDone(() -> order.add(number));
        }
        assertThat(order).isEmpty();
        future.complete("x");
        assertThat(order).hasSize(100).isSorted();
    }

    @Test
    void aCallbackOfADoneFutureRunsAtOnceWithoutALoop() {
        var seen = new ArrayList<String>();
        future.complete("x");
        future.whenDone((value, error) -> seen.add(value));
        assertThat(seen).containsExactly("x");
    }

    @Test
    void aCallbackRunsOnce() {
        var count = new int[1];
        future.onDone(() -> count[0]++);
        future.complete("x");
        future.complete("y");
        future.cancel();
        assertThat(count[0]).isEqualTo(1);
    }

    @Test
    void whenDoneTellsFailureAndCancellation() {
        var seen = new ArrayList<Throwable>();
        future.whenDone((value, error) -> seen.add(error));
        future.completeExceptionally(failure);
        var cancelled = new LoopFuture<String>();
        cancelled.whenDone((value, error) -> seen.add(error));
        cancelled.cancel();
        assertThat(seen).hasSize(2).first().isSameAs(failure);
        assertThat(seen.getLast()).isInstanceOf(CancellationException.class);
    }

    @Test
    void whenDoneReturnsTheFutureItself() {
        assertThat(future.whenDone((value, error) -> {})).isSameAs(future);
    }

    @Test
    void aCallbackAddedByACallbackRuns() {
        var order = new ArrayList<String>();
        future.onDone(() -> {
            order.add("outer");
            future.onDone(() -> order.add("inner"));
        });
        future.onDone(() -> order.add("second"));
        future.complete("x");
        assertThat(order).containsExactlyInAnyOrder("outer", "inner", "second");
    }

    @Test
    void aFailingCallbackNeitherHarmsTheOthersNorWhoCompletes() throws Exception {
        var seen = new ArrayList<String>();
        var uncaught = new ArrayList<Throwable>();
        var broken = new IllegalArgumentException("callback");
        future.onDone(() -> seen.add("first"));
        future.onDone(() -> {
            throw broken;
        });
        future.onDone(() -> seen.add("last"));
        var completed = new boolean[1];
        var thread = Thread.ofPlatform()
                .uncaughtExceptionHandler((where, error) -> uncaught.add(error))
                .start(() -> completed[0] = future.complete("x"));
        thread.join();
        assertThat(seen).containsExactly("first", "last");
        assertThat(uncaught).containsExactly(broken);
        assertThat(completed[0]).isTrue();
    }

    @Test
    void getTimesOut() {
        assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(-1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(future.isDone()).isFalse();
    }

    @Test
    void waitingManyTimesInVainLeavesNothingBehind() {
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> future.get(1, TimeUnit.NANOSECONDS)).isInstanceOf(TimeoutException.class);
        }
        var seen = new ArrayList<String>();
        future.whenDone((value, error) -> seen.add(value));
        assertThat(future.removeNewest(new Stages.Action(() -> {}))).isFalse();
        future.complete("x");
        assertThat(seen).isEqualTo(List.of("x"));
    }
}
