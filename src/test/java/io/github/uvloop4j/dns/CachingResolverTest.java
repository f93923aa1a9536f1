package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class CachingResolverTest {
    private final Asked source = new Asked();
    private long now = Long.MAX_VALUE - 5;
    private final CachingResolver cache =
            new CachingResolver(source, 2, Duration.ofNanos(100), Duration.ofNanos(10), () -> now);

    private CompletableFuture<List<InetAddress>> ask(String host) {
        return cache.resolve(host, null).toCompletableFuture();
    }

    private void know(String host) {
        var asked = ask(host);
        source.answer(Asked.V4);
        assertThat(asked).isCompletedWithValue(List.of(Asked.V4));
    }

    @Test
    void anAnswerIsRememberedUntilItExpires() {
        know("a");
        now += 99;
        assertThat(ask("a")).isCompletedWithValue(List.of(Asked.V4));
        assertThat(source.hosts).containsExactly("a");
        now += 1;
        assertThat(ask("a")).isNotDone();
        assertThat(source.hosts).containsExactly("a", "a");
    }

    @Test
    void namesDifferByMoreThanTheirCase() {
        know("Name");
        assertThat(ask("nAME")).isCompleted();
        assertThat(ask("name.")).isNotDone();
    }

    @Test
    void familiesAreRememberedApart() {
        know("a");
        var v6 = cache.resolve("a", StandardProtocolFamily.INET6).toCompletableFuture();
        assertThat(v6).isNotDone();
        source.answer(Asked.V6);
        assertThat(v6).isCompletedWithValue(List.of(Asked.V6));
        assertThat(source.hosts).containsExactly("a", "a INET6");
    }

    @Test
    void thatThereIsNoSuchHostIsRememberedForItsOwnTime() {
        var first = ask("a");
        source.fail();
        assertThat(first).isCompletedExceptionally();
        now += 9;
        var second = ask("a");
        assertThatThrownBy(second::join).hasCauseInstanceOf(UnknownHostException.class);
        assertThat(second.exceptionNow()).as("each has its own").isNotSameAs(first.exceptionNow());
        now += 1;
        assertThat(ask("a")).isNotDone();
    }

    @Test
    void otherFailuresAreNotRemembered() {
        ask("a");
        source.answers.getLast().completeExceptionally(new IllegalStateException("broken"));
        assertThat(ask("a")).isNotDone();
        var temporary = new UnknownHostException("a");
        temporary.initCause(UvException.stackless(UvErrno.EAI_AGAIN.code(), "look up a"));
        source.answers.getLast().completeExceptionally(temporary);
        assertThat(ask("a")).isNotDone();
    }

    @Test
    void zeroRemembersNoFailures() {
        var positive = new CachingResolver(source, 2, Duration.ofNanos(100), Duration.ZERO, () -> now);
        positive.resolve("a", null);
        source.fail();
        assertThat(positive.resolve("a", null).toCompletableFuture()).isNotDone();
    }

    @Test
    void whenFullTheOneNobodyWantedForTheLongestTimeGoes() {
        know("a");
        know("b");
        assertThat(ask("a")).isCompleted();
        know("c");
        assertThat(cache.statistics().entries()).isEqualTo(2);
        assertThat(ask("a")).isCompleted();
        assertThat(ask("c")).isCompleted();
        assertThat(ask("b")).isNotDone();
    }

    @Test
    void thoseWhoAskAtTheSameTimeShareALookUp() {
        var first = ask("a");
        var second = ask("A");
        assertThat(source.hosts).containsExactly("a");
        source.answer(Asked.V6, Asked.V4);
        assertThat(first).isCompletedWithValue(List.of(Asked.V6, Asked.V4));
        assertThat(second).isCompletedWithValue(List.of(Asked.V6, Asked.V4));
        assertThat(cache.statistics().hits()).isEqualTo(1);
    }

    @Test
    void oneWhoGivesUpTakesNothingFromTheOthers() {
        var first = ask("a");
        var second = ask("a");
        first.cancel(true);
        assertThat(source.answers.getLast()).isNotDone();
        source.answer(Asked.V4);
        assertThat(second).isCompleted();
    }

    @Test
    void theLookUpIsGivenUpWithTheLast() {
        var first = ask("a");
        var second = ask("a");
        first.cancel(true);
        second.cancel(true);
        assertThat(source.answers.getLast()).isCancelled();
        assertThat(ask("a")).as("another look-up").isNotDone();
        assertThat(source.hosts).hasSize(2);
    }

    @Test
    void clearForgetsWhatIsKnownAndWhatIsUnderWay() {
        know("a");
        var pending = ask("b");
        cache.clear();
        source.answer(Asked.V4);
        assertThat(pending).isCompletedWithValue(List.of(Asked.V4));
        assertThat(cache.statistics().entries()).isZero();
        assertThat(ask("a")).isNotDone();
        assertThat(ask("b")).isNotDone();
    }

    @Test
    void aBrokenSourceGivesClearFailuresThatAreNotRememberedAsAnswers() {
        var answers = new Resolver() {
            @Override
            @SuppressWarnings("NullAway")
            public CompletableFuture<List<InetAddress>> resolve(String host, ProtocolFamily family) {
                return switch (host) {
                    case "throws" -> throw new IllegalArgumentException("boo");
                    case "null" -> null;
                    case "nothing" -> CompletableFuture.completedFuture(null);
                    case "empty" -> CompletableFuture.completedFuture(List.of());
                    default ->
                        CompletableFuture.failedFuture(new CompletionException(new UnknownHostException("wrapped")));
                };
            }
        };
        var broken = new CachingResolver(answers, 9, Duration.ofSeconds(1), Duration.ofSeconds(1), () -> now);
        assertThat(failure(broken, "throws")).hasMessage("boo");
        assertThat(failure(broken, "null")).hasMessageContaining("returned null for null");
        assertThat(failure(broken, "nothing"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("answered null");
        assertThat(failure(broken, "empty")).isInstanceOf(UnknownHostException.class);
        assertThat(failure(broken, "wraps"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("wrapped");
    }

    private static Throwable failure(Resolver resolver, String host) {
        return resolver.resolve(host, null).toCompletableFuture().exceptionNow();
    }

    @Test
    void badLimitsAreRefused() {
        var second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> Resolvers.caching(source, 0, second, second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resolvers.caching(source, 1, Duration.ZERO, second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resolvers.caching(source, 1, second, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resolvers.caching(source, 1, second, second).resolve("a", StandardProtocolFamily.UNIX))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
