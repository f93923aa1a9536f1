package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.testing.CapturedLog;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.uv.UvTimer;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors that no caller can receive. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ExceptionHandlerTest {
    private final IllegalStateException failure = new IllegalStateException("broken");
    private final ArrayList<String> order = new ArrayList<>();

    private static Runnable throwing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    @Test
    @Tag("cells")
    void isToldWhatACallbackThrowsAndTheLoopGoesOn(EventLoop loop, Errors errors) {
        var handle = loop.callSoon(throwing(failure));
        loop.callSoon(() -> order.add("other"));
        loop.runOnce();
        assertThat(order).containsExactly("other");
        assertThat(errors.take()).singleElement().satisfies(context -> {
            assertThat(context.exception()).isSameAs(failure);
            assertThat(context.message()).isNotEmpty();
            assertThat(context.source()).isSameAs(handle);
        });
    }

    @Test
    void isToldWhatAnUpcallThrows(EventLoop loop, Errors errors) {
        var timer = new UvTimer(loop.uv());
        timer.start(throwing(failure), 0, 0);
        loop.callLater(java.time.Duration.ofMillis(2), loop::stop);
        loop.runForever();
        timer.close();
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).isSameAs(failure));
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, LinkageError.class, AssertionError.class, ThreadDeath.class})
    @SuppressWarnings("removal")
    void isToldOfErrorsToo(Class<? extends Error> type, EventLoop loop, Errors errors) throws Exception {
        var error = type.getDeclaredConstructor().newInstance();
        loop.callSoon(() -> {
            throw error;
        });
        loop.runOnce();
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).isSameAs(error));
    }

    @Test
    void isToldOfAStackOverflow(EventLoop loop, Errors errors) {
        loop.callSoon(() -> deeper(0));
        var timer = new UvTimer(loop.uv());
        timer.start(() -> deeper(0), 0, 0);
        loop.callLater(java.time.Duration.ofMillis(2), loop::stop);
        loop.runForever();
        timer.close();
        assertThat(errors.take())
                .hasSize(2)
                .allSatisfy(context -> assertThat(context.exception()).isInstanceOf(StackOverflowError.class));
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    @Test
    void isWhatWasSetLast(EventLoop loop) {
        Consumer<ExceptionContext> handler =
                context -> order.add(context.exception().getMessage());
        loop.exceptionHandler(handler);
        assertThat(loop.exceptionHandler()).isSameAs(handler);
        loop.callSoon(throwing(failure));
        loop.runOnce();
        assertThat(order).containsExactly("broken");
        loop.exceptionHandler(null);
        assertThat(loop.exceptionHandler()).isNull();
    }

    @Test
    void byDefaultLogs(EventLoop loop) {
        loop.exceptionHandler(null);
        try (var log = new CapturedLog()) {
            loop.callSoon(throwing(failure));
            loop.runOnce();
            var entry = log.await("a callback failed");
            assertThat(entry.getLevel()).isEqualTo(Level.SEVERE);
            assertThat(entry.getThrown()).isSameAs(failure);
        }
    }

    @Test
    void thatFailsIsReportedWithTheErrorItWasToldOf(EventLoop loop) {
        var broken = new IllegalArgumentException("handler");
        loop.exceptionHandler(context -> {
            throw broken;
        });
        try (var log = new CapturedLog()) {
            loop.callSoon(throwing(failure));
            loop.callSoon(() -> order.add("other"));
            loop.runOnce();
            assertThat(log.await("exception handler failed").getThrown()).isSameAs(broken);
            assertThat(log.await("a callback failed").getThrown()).isSameAs(failure);
        }
        assertThat(order).containsExactly("other");
    }

    @Test
    void canBeCalledByHand(EventLoop loop, Errors errors) {
        var context = new ExceptionContext("by hand", failure, this, null);
        loop.callExceptionHandler(context);
        assertThat(errors.take()).containsExactly(context);
        try (var log = new CapturedLog()) {
            EventLoop.defaultExceptionHandler(context);
            assertThat(log.await("by hand").getThrown()).isSameAs(failure);
        }
    }

    @Test
    void aSourceThatCannotSayItsNameDoesNotHarm(EventLoop loop) {
        loop.exceptionHandler(null);
        var nameless = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("no name");
            }
        };
        try (var log = new CapturedLog()) {
            loop.callExceptionHandler(new ExceptionContext("nameless", failure, nameless, null));
            assertThat(log.await("nameless").getThrown()).isSameAs(failure);
        }
    }

    // Fatal errors

    private static EventLoop withFatal() {
        return EventLoop.create(LoopOptions.defaults().fatal(error -> "fatal".equals(error.getMessage())));
    }

    @Test
    @Tag("cells")
    void aFatalErrorStopsTheLoopAndLeavesRun(EventLoop unused) {
        var fatal = new IllegalStateException("fatal");
        try (var loop = withFatal()) {
            loop.exceptionHandler(context -> order.add("handler"));
            loop.callSoon(throwing(fatal));
            loop.callSoon(() -> order.add("next"));
            assertThatThrownBy(loop::runForever).isSameAs(fatal);
            assertThat(loop.isRunning()).isFalse();
            assertThat(order).isEmpty();
            loop.runOnce();
            assertThat(order)
                    .as("the loop is usable, and what was queued is there")
                    .containsExactly("next");
        }
    }

    @Test
    void otherErrorsGoToTheHandlerAllTheSame(EventLoop unused) {
        try (var loop = withFatal()) {
            loop.exceptionHandler(context -> order.add(context.exception().getMessage()));
            loop.callSoon(throwing(failure));
            loop.runOnce();
            assertThat(order).containsExactly("broken");
        }
    }

    @Test
    void aFatalErrorOfATaskLeavesRun(EventLoop unused) {
        var fatal = new IllegalStateException("fatal");
        try (var loop = withFatal()) {
            loop.spawn(throwing(fatal)::run);
            assertThatThrownBy(loop::runForever).isSameAs(fatal);
        }
    }

    @Test
    void aFatalErrorOfAnUpcallLeavesRun(EventLoop unused) {
        var fatal = new IllegalStateException("fatal");
        try (var loop = withFatal()) {
            new UvTimer(loop.uv()).start(throwing(fatal), 0, 0);
            assertThatThrownBy(loop::runForever).isSameAs(fatal);
        }
    }

    @Test
    void aFatalErrorLeavesNoStopBehind(EventLoop unused) throws Exception {
        try (var loop = withFatal()) {
            var future = loop.<String>createFuture();
            loop.callSoon(() -> {
                future.complete("x");
                throw new IllegalStateException("fatal");
            });
            assertThatThrownBy(() -> loop.runUntilComplete(future)).hasMessage("fatal");
            loop.run(() -> {
                for (int i = 0; i < 5; i++) {
                    var turn = loop.<String>createFuture();
                    loop.callSoon(() -> turn.complete("x"));
                    turn.await();
                    order.add("turn");
                }
            });
            assertThat(order).hasSize(5);
        }
    }

    @Test
    void aFatalErrorWhileClosingLeavesClose(EventLoop unused) {
        var loop = withFatal();
        loop.callSoon(throwing(new IllegalStateException("fatal")));
        assertThatThrownBy(loop::close).hasMessage("fatal");
        assertThat(loop.isClosed()).isTrue();
    }

    @Test
    void aTestForFatalErrorsThatFailsIsReported(EventLoop unused) {
        var broken = new IllegalArgumentException("predicate");
        try (var loop = EventLoop.create(LoopOptions.defaults().fatal(error -> {
            throw broken;
        }))) {
            var seen = new ArrayList<Throwable>();
            loop.exceptionHandler(context -> seen.add(context.exception()));
            loop.callSoon(throwing(failure));
            loop.runOnce();
            new UvTimer(loop.uv()).start(throwing(failure), 0, 0);
            loop.callLater(java.time.Duration.ofMillis(2), loop::stop);
            loop.runForever();
            assertThat(seen).containsExactly(broken, failure, broken, failure);
        }
    }

    @Test
    void theSourceIsTheHandleThatTheCallerHolds(EventLoop loop, Errors errors) {
        CallHandle timer = loop.callLater(java.time.Duration.ZERO, throwing(failure));
        loop.runOnce();
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.source()).isSameAs(timer));
    }
}
