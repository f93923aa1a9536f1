package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures made from futures. */
@Timeout(60)
class LoopFutureStagesTest {
    private final LoopFuture<Integer> source = new LoopFuture<>();
    private final IOException failure = new IOException("broken");
    private final IllegalArgumentException thrown = new IllegalArgumentException("function");

    @Test
    void mapHasTheFunctionsResult() throws Exception {
        var mapped = source.map(value -> "v" + value);
        assertThat(mapped.isDone()).isFalse();
        source.complete(7);
        assertThat(mapped.result()).isEqualTo("v7");
    }

    @Test
    void mapOfADoneFutureWorks() throws Exception {
        source.complete(7);
        assertThat(source.map(value -> value + 1).result()).isEqualTo(8);
    }

    @Test
    void mapMayReturnNull() throws Exception {
        var mapped = source.map(value -> null);
        source.complete(7);
        assertThat(mapped.result()).isNull();
    }

    @Test
    void mapPassesTheFailureOn() {
        var calls = new int[1];
        var mapped = source.map(value -> calls[0]++);
        source.completeExceptionally(failure);
        assertThatThrownBy(mapped::result).isSameAs(failure);
        assertThat(calls[0]).isZero();
    }

    @Test
    void mapFailsWithWhatItsFunctionThrows() {
        var mapped = source.map(value -> {
            throw thrown;
        });
        source.complete(7);
        assertThatThrownBy(mapped::result).isSameAs(thrown);
    }

    @Test
    void aCancelReachesWhatDependsOnIt() {
        var mapped = source.map(value -> value);
        var composed = source.compose(value -> new LoopFuture<>());
        var then = source.then(value -> {});
        source.cancel();
        assertThat(mapped.isCancelled()).isTrue();
        assertThat(composed.isCancelled()).isTrue();
        assertThat(then.isCancelled()).isTrue();
    }

    @Test
    void cancellingADependantLeavesTheSourceAlone() throws Exception {
        var mapped = source.map(value -> value);
        mapped.cancel();
        assertThat(source.isDone()).isFalse();
        source.complete(7);
        assertThat(source.result()).isEqualTo(7);
        assertThat(mapped.isCancelled()).isTrue();
    }

    @Test
    void thenTakesTheValueAndHasNone() throws Exception {
        var seen = new ArrayList<Integer>();
        var then = source.then(seen::add);
        source.complete(7);
        assertThat(then.result()).isNull();
        assertThat(seen).containsExactly(7);
    }

    @Test
    void thenFailsWithWhatItsConsumerThrows() {
        var then = source.then(value -> {
            throw thrown;
        });
        source.complete(7);
        assertThatThrownBy(then::result).isSameAs(thrown);
    }

    @Test
    void thenPassesTheFailureOn() {
        var then = source.then(value -> {});
        source.completeExceptionally(failure);
        assertThatThrownBy(then::result).isSameAs(failure);
    }

    @Test
    void composeEndsAsTheInnerFutureEnds() throws Exception {
        var inner = new LoopFuture<String>();
        var composed = source.compose(value -> inner);
        source.complete(7);
        assertThat(composed.isDone()).isFalse();
        inner.complete("x");
        assertThat(composed.result()).isEqualTo("x");
    }

    @Test
    void composeFailsAsTheInnerFutureFails() {
        var composed = source.compose(value -> LoopFuture.<String>failed(null, failure));
        source.complete(7);
        assertThatThrownBy(composed::result).isSameAs(failure);
    }

    @Test
    void composeIsCancelledAsTheInnerFutureIs() {
        var inner = new LoopFuture<String>();
        var composed = source.compose(value -> inner);
        source.complete(7);
        inner.cancel();
        assertThat(composed.isCancelled()).isTrue();
    }

    @Test
    void composeFailsWithWhatItsFunctionThrows() {
        var composed = source.<String>compose(value -> {
            throw thrown;
        });
        source.complete(7);
        assertThatThrownBy(composed::result).isSameAs(thrown);
    }

    @Test
    void composeFailsWhenItsFunctionReturnsNull() {
        var composed = source.<String>compose(value -> null);
        source.complete(7);
        assertThatThrownBy(composed::result).isInstanceOf(NullPointerException.class);
    }

    @Test
    void handleSeesTheValue() throws Exception {
        var handled = source.handle((value, error) -> value + " " + error);
        source.complete(7);
        assertThat(handled.result()).isEqualTo("7 null");
    }

    @Test
    void handleTurnsAFailureIntoAValue() throws Exception {
        var handled = source.handle((value, error) -> value + " " + error.getMessage());
        source.completeExceptionally(failure);
        assertThat(handled.result()).isEqualTo("null broken");
    }

    @Test
    void handleSeesACancellation() throws Exception {
        var handled = source.handle((value, error) -> error instanceof CancellationException);
        source.cancel();
        assertThat(handled.result()).isTrue();
    }

    @Test
    void handleFailsWithWhatItsFunctionThrows() {
        var handled = source.handle((value, error) -> {
            throw thrown;
        });
        source.complete(7);
        assertThatThrownBy(handled::result).isSameAs(thrown);
    }

    @Test
    void anErrorOfAFunctionDoesNotEscape() {
        var mapped = source.map(value -> {
            throw new StackOverflowError("made up");
        });
        assertThat(source.complete(7)).isTrue();
        assertThatThrownBy(mapped::result).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void stagesCanBeChained() throws Exception {
        var end = source.map(value -> value + 1)
                .compose(value -> LoopFuture.completed(null, value * 2))
                .handle((value, error) -> error == null ? value : -1)
                .map(String::valueOf);
        source.complete(7);
        assertThat(end.result()).isEqualTo("16");
    }
}
