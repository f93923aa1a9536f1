package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Running and stopping. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class EventLoopTest {
    @Test
    @Tag("cells")
    void runReturnsTheResultOfItsTask(EventLoop loop) throws Exception {
        assertThat(loop.<Integer>run(() -> 42)).isEqualTo(42);
    }

    @Test
    @Tag("cells")
    void runThrowsWhatItsTaskThrew(EventLoop loop) {
        assertThatThrownBy(() -> loop.run(() -> {
                    throw new IOException("x");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("x");
    }

    @Test
    void runIsRepeatable(EventLoop loop) throws Exception {
        for (int i = 0; i < 100; i++) {
            int number = i;
            assertThat(loop.<Integer>run(() -> number)).isEqualTo(i);
        }
    }

    @Test
    void runWorksOnAnyPlatformThreadWhileTheLoopRests(EventLoop loop) throws Exception {
        var result = new AtomicReference<Object>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        result.set(loop.run(() -> EventLoop.current() == loop));
                    } catch (Exception e) {
                        result.set(e);
                    }
                })
                .join();
        assertThat(result.get()).isEqualTo(true);
        assertThat(loop.<Integer>run(() -> 1)).as("and here again").isEqualTo(1);
    }

    @Test
    void runUntilCompleteReturnsAValueThatIsThereAlready(EventLoop loop) throws Exception {
        assertThat(loop.runUntilComplete(LoopFuture.completed(null, "x"))).isEqualTo("x");
    }

    @Test
    void runUntilCompleteThrowsACancellation(EventLoop loop) {
        var future = loop.<String>createFuture();
        loop.callSoon(future::cancel);
        assertThatThrownBy(() -> loop.runUntilComplete(future)).isInstanceOf(CancellationException.class);
    }

    @Test
    void runUntilCompleteTakesTheFutureOfAnotherLoop(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            assertThat(loop.runUntilComplete(other.submit(() -> "x"))).isEqualTo("x");
        }
    }

    @Test
    void runUntilCompleteTakesAFutureWithoutALoop(EventLoop loop) throws Exception {
        var future = new LoopFuture<String>();
        Thread.ofPlatform().start(() -> future.complete("x"));
        assertThat(loop.runUntilComplete(future)).isEqualTo("x");
    }

    @Test
    void runUntilCompleteSaysThatTheLoopWasStopped(EventLoop loop) {
        var future = loop.<String>createFuture();
        loop.callSoon(loop::stop);
        assertThatThrownBy(() -> loop.runUntilComplete(future))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stopped before");
    }

    @Test
    void aFutureThatWasWaitedForInVainDoesNotStopALaterRun(EventLoop loop) throws Exception {
        var orphan = loop.<String>createFuture();
        loop.callSoon(loop::stop);
        assertThatThrownBy(() -> loop.runUntilComplete(orphan)).isInstanceOf(IllegalStateException.class);
        var turns = loop.<String>run(() -> {
            orphan.complete("x");
            for (int i = 0; i < 5; i++) {
                var turn = loop.<String>createFuture();
                loop.callSoon(() -> turn.complete("x"));
                turn.await();
            }
            return "all";
        });
        assertThat(turns).isEqualTo("all");
    }

    @Test
    void refusesNulls(EventLoop loop) {
        assertThatThrownBy(() -> loop.runUntilComplete(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> EventLoop.create(null)).isInstanceOf(NullPointerException.class);
        assertThat(loop.isRunning()).isFalse();
    }

    @Test
    void aRunningLoopCannotBeRunAgain(EventLoop loop) {
        var thrown = new ArrayList<Throwable>();
        loop.callSoon(() -> {
            collect(thrown, loop::runForever);
            collect(thrown, loop::runOnce);
            collect(thrown, () -> loop.run(() -> 1));
            collect(thrown, () -> loop.runUntilComplete(loop.createFuture()));
            collect(thrown, loop::start);
            collect(thrown, loop::close);
        });
        loop.runOnce();
        assertThat(thrown)
                .hasSize(6)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("running"));
    }

    @Test
    void aLoopThatRunsElsewhereCannotBeRun(EventLoop loop) {
        try (var other = EventLoop.create().start()) {
            var thrown = new ArrayList<Throwable>();
            collect(thrown, other::runForever);
            collect(thrown, other::runOnce);
            collect(thrown, () -> other.run(() -> 1));
            collect(thrown, other::start);
            assertThat(thrown)
                    .hasSize(4)
                    .allSatisfy(error -> assertThat(error).isInstanceOf(IllegalStateException.class));
        }
    }

    @Test
    void noLoopRunsInsideAnother(EventLoop loop) {
        try (var other = EventLoop.create()) {
            var thrown = new ArrayList<Throwable>();
            loop.callSoon(() -> collect(thrown, other::runForever));
            loop.runOnce();
            assertThat(thrown)
                    .singleElement()
                    .satisfies(error -> assertThat(error)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("another loop is running"));
        }
    }

    @Test
    @Tag("cells")
    void noLoopRunsInATask(EventLoop loop) throws Exception {
        try (var other = EventLoop.create()) {
            assertThatThrownBy(() -> loop.run(() -> {
                        other.runOnce();
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("platform thread");
        }
    }

    @Test
    void noLoopRunsOnAVirtualThread(EventLoop loop) throws Exception {
        var thrown = new ArrayList<Throwable>();
        Thread.ofVirtual()
                .start(() -> {
                    collect(thrown, loop::runForever);
                    collect(thrown, loop::runOnce);
                    collect(thrown, () -> loop.run(() -> 1));
                    collect(thrown, () -> EventLoop.run(inner -> {}));
                })
                .join();
        assertThat(thrown)
                .hasSize(4)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("platform thread"));
        assertThat(loop.isRunning()).isFalse();
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void collect(ArrayList<Throwable> thrown, Call call) {
        try {
            call.run();
        } catch (Throwable error) {
            thrown.add(error);
        }
    }

    @Test
    void knowsWhetherItRuns(EventLoop loop) {
        var seen = new ArrayList<Boolean>();
        loop.callSoon(() -> seen.add(loop.isRunning()));
        assertThat(loop.isRunning()).isFalse();
        assertThat(loop).asString().contains("stopped");
        loop.runOnce();
        assertThat(seen).containsExactly(true);
        assertThat(loop.isRunning()).isFalse();
    }

    @Test
    void theRunHelperClosesItsLoopAndEndsItsTasks(EventLoop unused) throws Exception {
        var order = new ArrayList<String>();
        var kept = new AtomicReference<EventLoop>();
        EventLoop.run(loop -> {
            kept.set(loop);
            var task = loop.spawn(() -> {
                try {
                    loop.createFuture().await();
                } finally {
                    order.add("cleaned up");
                }
            });
            task.handle((value, error) -> order.add("told"));
            loop.runInExecutor(() -> 1).await();
        });
        assertThat(kept.get().isClosed()).isTrue();
        assertThat(order).containsExactly("cleaned up", "told");
    }

    @Test
    void theRunHelperThrowsAndClosesAllTheSame(EventLoop unused) {
        var kept = new AtomicReference<EventLoop>();
        assertThatThrownBy(() -> EventLoop.run(loop -> {
                    kept.set(loop);
                    throw new IOException("x");
                }))
                .isInstanceOf(IOException.class);
        assertThat(kept.get().isClosed()).isTrue();
    }

    @Test
    void currentIsTheLoopThatRuns(EventLoop resting) throws Exception {
        try (var loop = EventLoop.create()) {
            var seen = new AtomicReference<EventLoop>();
            loop.callSoon(() -> seen.set(EventLoop.current()));
            loop.runOnce();
            assertThat(seen.get()).isSameAs(loop);
        }
    }

    @Test
    void thereIsNoCurrentLoopElsewhere(EventLoop loop) {
        var elsewhere = loop.runInExecutor(EventLoop::current);
        assertThatThrownBy(() -> loop.runUntilComplete(elsewhere))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not on the thread of a loop");
    }
}
