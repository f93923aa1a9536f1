package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cells")
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvLoopTest {
    @Test
    void runReturnsAtOnceWhenNothingIsActive(UvLoop loop) {
        assertThat(loop.isAlive()).isFalse();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void defaultRunsUntilNothingIsActive(UvLoop loop) {
        var calls = new ArrayList<Integer>();
        var timer = new UvTimer(loop);
        timer.start(
                () -> {
                    calls.add(calls.size());
                    if (calls.size() == 3) {
                        timer.stop();
                    }
                },
                1,
                1);
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(calls).hasSize(3);
    }

    @Test
    void onceTurnsOnceForAnIdleHandle(UvLoop loop) {
        var turns = new int[1];
        var idle = new UvIdle(loop);
        idle.start(() -> {
            if (++turns[0] == 64) {
                idle.stop();
            }
        });
        int runs = 0;
        while (loop.run(UvLoop.Mode.ONCE)) {
            runs++;
        }
        assertThat(turns[0]).isEqualTo(64);
        assertThat(runs).isEqualTo(63);
    }

    @Test
    void noWaitDoesNotFireTimersOfTheFuture(UvLoop loop) {
        var fired = new boolean[1];
        new UvTimer(loop).start(() -> fired[0] = true, 60_000, 0);
        for (int i = 0; i < 10; i++) {
            assertThat(loop.run(UvLoop.Mode.NOWAIT)).isTrue();
        }
        assertThat(fired[0]).isFalse();
    }

    @Test
    void aRequestKeepsTheLoopAlive(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var data = Streams.memory(new byte[1 << 20]);
        for (int i = 0; i < 16; i++) {
            pair.client().write(Streams.request(loop, data), status -> {});
        }
        assertThat(loop.isAlive()).isTrue();
        assertThat(loop.pendingRequests()).isPositive();
    }

    @Test
    void stopEndsTheRunWhichCanGoOnLater(UvLoop loop) {
        var calls = new int[1];
        var idle = new UvIdle(loop);
        idle.start(() -> {
            if (++calls[0] == 2) {
                loop.stop();
            }
        });
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isTrue();
        assertThat(calls[0]).isEqualTo(2);
        idle.start(idle::stop);
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void stopBeforeRunMakesItDoNoMoreThanOneTurn(UvLoop loop) {
        var calls = new int[1];
        var idle = new UvIdle(loop);
        idle.start(() -> calls[0]++);
        loop.stop();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isTrue();
        assertThat(calls[0]).isLessThanOrEqualTo(1);
    }

    @Test
    void updateTimeRefreshesTheCachedTime(UvLoop loop) {
        loop.updateTime();
        long start = loop.now();
        long began = System.nanoTime();
        while (System.nanoTime() - began < 3_000_000) {
            Thread.onSpinWait();
        }
        assertThat(loop.now()).isEqualTo(start);
        loop.updateTime();
        assertThat(loop.now()).isGreaterThan(start);
    }

    @Test
    void backendTimeoutFollowsWhatIsActive(UvLoop loop) {
        assertThat(loop.backendTimeout()).isZero();
        var timer = new UvTimer(loop);
        loop.updateTime();
        timer.start(() -> {}, 1_000, 0);
        // The first turn tells the kernel of the loop's own descriptors.
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(loop.backendTimeout()).isBetween(1, 1_000);
        var idle = new UvIdle(loop);
        idle.start(() -> {});
        assertThat(loop.backendTimeout()).isZero();
        idle.stop();
        timer.stop();
        var async = new UvAsync(loop, () -> {});
        assertThat(loop.backendTimeout()).isEqualTo(-1);
        async.close();
    }

    @Test
    void backendFdIsThere(UvLoop loop) {
        assertThat(loop.backendFd()).isGreaterThan(2);
    }

    @Test
    void runFromACallbackIsRefused(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        new UvTimer(loop).start(() -> loop.run(UvLoop.Mode.NOWAIT), 0, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(errors.getFirst()).hasMessageContaining("running");
    }

    @Test
    void closeFromACallbackIsRefused(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        new UvTimer(loop).start(loop::close, 0, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(loop.isClosed()).isFalse();
    }

    @Test
    void runFromACloseCallbackIsRefusedWhileTheLoopCloses(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        new UvTimer(loop).close(() -> loop.run(UvLoop.Mode.NOWAIT));
        loop.close();
        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatACallbackThrowsLeavesRunWithoutAHandler(UvLoop loop) {
        var error = new Error("mine");
        var later = new boolean[1];
        new UvTimer(loop)
                .start(
                        () -> {
                            throw error;
                        },
                        0,
                        0);
        assertThatThrownBy(() -> loop.run(UvLoop.Mode.DEFAULT)).cause().isSameAs(error);
        new UvTimer(loop).start(() -> later[0] = true, 0, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(later[0]).isTrue();
    }

    @Test
    void whatACallbackThrowsWhileTheLoopClosesIsNotLost() {
        var loop = UvLoop.create();
        var error = new IllegalArgumentException("mine");
        new UvTimer(loop).close(() -> {
            throw error;
        });
        assertThatThrownBy(loop::close).cause().isSameAs(error);
        assertThat(loop.isClosed()).isTrue();
    }

    @Test
    void closeClosesWhatIsOpen(UvLoop loop) {
        var closed = new ArrayList<String>();
        var timer = new UvTimer(loop);
        timer.start(() -> closed.add("fired"), 60_000, 0);
        new UvTcp(loop, true);
        var listener = new Streams.Listener(loop);
        var mine = new UvIdle(loop);
        mine.close(() -> closed.add("idle"));
        loop.close();
        assertThat(closed).containsExactly("idle");
        assertThat(loop.openHandles()).isEmpty();
        assertThat(listener.tcp.isClosing()).isTrue();
        assertThatThrownBy(timer::stop).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeCompletesPendingRequestsWithCanceled(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var statuses = new ArrayList<Integer>();
        var data = Streams.memory(new byte[1 << 20]);
        for (int i = 0; i < 20; i++) {
            pair.client().write(Streams.request(loop, data), statuses::add);
        }
        loop.close();
        assertThat(statuses).hasSize(20);
        assertThat(statuses.getLast()).isEqualTo(UvErrno.ECANCELED.code());
        assertThat(loop.pendingRequests()).isZero();
    }

    @Test
    void closeIsRepeatableAndEverythingThrowsAfterIt(UvLoop loop) {
        loop.close();
        loop.close();
        assertThat(loop.isClosed()).isTrue();
        List<Runnable> calls = List.of(
                () -> loop.run(UvLoop.Mode.NOWAIT),
                loop::stop,
                loop::isAlive,
                loop::now,
                loop::updateTime,
                loop::backendFd,
                loop::backendTimeout,
                () -> new UvTimer(loop),
                () -> new UvTcp(loop),
                () -> new UvWrite(loop, 1));
        for (var call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void otherThreadsAreRefusedAlways(UvLoop loop) throws Exception {
        var timer = new UvTimer(loop);
        var tcp = new UvTcp(loop);
        List<Runnable> calls = List.of(
                () -> loop.run(UvLoop.Mode.NOWAIT),
                loop::stop,
                loop::now,
                loop::close,
                () -> new UvIdle(loop),
                () -> timer.start(() -> {}, 1, 0),
                timer::close,
                tcp::fileno,
                () -> tcp.listen(1, status -> {}),
                () -> new UvConnect(loop));
        for (var call : calls) {
            var done = CompletableFuture.runAsync(call, Thread.ofVirtual()::start);
            assertThatThrownBy(done::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("thread");
        }
    }

    @Test
    void loopsOfOneThreadDoNotKnowEachOther(UvLoop loop) {
        try (var other = UvLoop.create()) {
            var fired = new ArrayList<String>();
            new UvTimer(loop).start(() -> fired.add("one"), 0, 0);
            new UvTimer(other).start(() -> fired.add("two"), 0, 0);
            assertThat(other.address()).isNotEqualTo(loop.address());
            other.run(UvLoop.Mode.DEFAULT);
            assertThat(fired).containsExactly("two");
            loop.run(UvLoop.Mode.DEFAULT);
            assertThat(fired).containsExactly("two", "one");
        }
    }

    @Test
    void aThousandLoopsOneAfterTheOtherLeaveNothing(UvLoop loop) {
        for (int i = 0; i < 1_000; i++) {
            try (var one = UvLoop.create()) {
                new UvTimer(one).start(() -> {}, 0, 0);
                one.run(UvLoop.Mode.DEFAULT);
            }
        }
        assertThat(loop.isClosed()).isFalse();
    }
}
