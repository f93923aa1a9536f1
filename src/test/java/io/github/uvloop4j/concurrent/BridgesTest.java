package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** From and to other people's futures. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class BridgesTest {
    private final IOException failure = new IOException("broken");

    /** A future that is not ours. */
    private static final class Foreign implements Awaitable<String> {
        private final LoopFuture<String> inner = new LoopFuture<>();

        @Override
        public boolean isDone() {
            return inner.isDone();
        }

        @Override
        public void onDone(Runnable action) {
            inner.onDone(action);
        }

        @Override
        public String result() throws Exception {
            return inner.result();
        }
    }

    @Test
    void aStageGivesItsValue() throws Exception {
        var stage = new CompletableFuture<String>();
        var future = LoopFuture.from(null, stage);
        assertThat(future.isDone()).isFalse();
        stage.complete("x");
        assertThat(future.result()).isEqualTo("x");
    }

    @Test
    void aStageGivesItsFailureItself() {
        var stage = new CompletableFuture<String>();
        var future = LoopFuture.from(null, stage.thenApply(value -> value));
        stage.completeExceptionally(failure);
        assertThatThrownBy(future::result).isSameAs(failure);
    }

    @Test
    void aCompletionExceptionWithoutCauseStaysOne() {
        var bare = new CompletionException("bare", null);
        var future = LoopFuture.from(null, CompletableFuture.failedFuture(bare));
        assertThatThrownBy(future::result).isSameAs(bare);
    }

    @Test
    void aCancelledStageCancels() {
        var stage = new CompletableFuture<String>();
        var direct = LoopFuture.from(null, stage);
        var dependent = LoopFuture.from(null, stage.thenApply(value -> value));
        stage.cancel(false);
        assertThat(direct.isCancelled()).isTrue();
        assertThat(dependent.isCancelled()).isTrue();
    }

    @Test
    @Tag("cells")
    void aTaskCanAwaitAForeignStage(EventLoop loop) throws Exception {
        var stage = new CompletableFuture<String>();
        var result = loop.run(() -> {
            Thread.ofVirtual().start(() -> stage.complete("x"));
            return LoopFuture.from(null, stage).await();
        });
        assertThat(result).isEqualTo("x");
    }

    @Test
    void anAwaitableGivesItsOutcome() throws Exception {
        var foreign = new Foreign();
        var future = LoopFuture.from(foreign);
        foreign.inner.complete("x");
        assertThat(future.result()).isEqualTo("x");
        var failing = new Foreign();
        var failed = LoopFuture.from(failing);
        failing.inner.completeExceptionally(failure);
        assertThatThrownBy(failed::result).isSameAs(failure);
    }

    @Test
    void ourOwnFutureIsReturnedAsItIs() {
        Awaitable<String> own = new LoopFuture<>();
        assertThat(LoopFuture.from(own)).isSameAs(own);
    }

    @Test
    void aTaskCanAwaitAForeignAwaitable(EventLoop loop) throws Exception {
        var foreign = new Foreign();
        var result = loop.run(() -> {
            Thread.ofVirtual().start(() -> foreign.inner.complete("x"));
            return LoopFuture.from(foreign).await();
        });
        assertThat(result).isEqualTo("x");
    }

    @Test
    void anAwaitableBelongsToTheLoopThatRuns(EventLoop resting) throws Exception {
        try (var loop = EventLoop.create()) {
            var context = new AtomicReference<LoopContext>();
            var own = new AtomicReference<LoopContext>();
            loop.callSoon(() -> {
                context.set(LoopFuture.from(new Foreign()).context());
                own.set(loop.createFuture().context());
                loop.stop();
            });
            loop.runForever();
            assertThat(context.get()).isSameAs(own.get());
        }
    }

    @Test
    void aCompletableFutureGetsTheValue() throws Exception {
        var future = new LoopFuture<String>();
        var other = future.toCompletableFuture();
        assertThat(other).isNotDone();
        future.complete("x");
        assertThat(other.get()).isEqualTo("x");
    }

    @Test
    void aCompletableFutureGetsTheFailure() {
        var future = new LoopFuture<String>();
        var other = future.toCompletableFuture();
        future.completeExceptionally(failure);
        assertThatThrownBy(other::get).isInstanceOf(ExecutionException.class).hasCause(failure);
    }

    @Test
    void aCompletableFutureIsCancelled() {
        var future = new LoopFuture<String>();
        var other = future.toCompletableFuture();
        future.cancel();
        assertThat(other).isCancelled();
    }

    @Test
    void cancellingTheCompletableFutureDoesNotReachBack() throws Exception {
        var future = new LoopFuture<String>();
        future.toCompletableFuture().cancel(true);
        assertThat(future.isDone()).isFalse();
        future.complete("x");
        assertThat(future.result()).isEqualTo("x");
    }

    @Test
    void aCompletableFutureEndsOnTheLoop(EventLoop loop) {
        var where = new AtomicReference<Thread>();
        var future = loop.<String>createFuture();
        future.toCompletableFuture().thenRun(() -> {
            where.set(Thread.currentThread());
            loop.stop();
        });
        Thread.ofPlatform().start(() -> future.complete("x"));
        loop.runForever();
        assertThat(where.get()).isSameAs(Thread.currentThread());
    }

    @Test
    @Tag("cells")
    void aTaskAwaitsAStageOfItsLoop(EventLoop loop) throws Exception {
        var stage = new CompletableFuture<String>();
        var result = loop.run(() -> {
            var future = LoopFuture.from(stage);
            assertThat(future.context()).isSameAs(LoopContext.current());
            Thread.ofVirtual().start(() -> stage.complete("x"));
            return future.await();
        });
        assertThat(result).isEqualTo("x");
    }

    @Test
    void outsideAnyLoopAStageIsAwaitedByTheThread() throws Exception {
        var stage = new CompletableFuture<String>();
        var waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return LoopFuture.from(stage).await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        stage.complete("x");
        assertThat(waiting.join()).isEqualTo("x");
    }

    @Test
    void wrappedFailuresAreUnwrapped() {
        var wrapped = new CompletionException(new ExecutionException(new CompletionException(failure)));
        assertThatThrownBy(LoopFuture.from(CompletableFuture.failedFuture(wrapped))::result)
                .isSameAs(failure);
        var bare = new ExecutionException("bare", null);
        assertThatThrownBy(LoopFuture.from(CompletableFuture.failedFuture(bare))::result)
                .isSameAs(bare);
    }

    @Test
    void cancellingCancelsTheStage() {
        var stage = new CompletableFuture<String>();
        assertThat(LoopFuture.from(stage).cancel()).isTrue();
        assertThat(stage).isCancelled();
        var done = CompletableFuture.completedFuture("x");
        assertThat(LoopFuture.from(done).cancel()).isFalse();
    }

    @Test
    @Tag("cells")
    void aCancelledTaskCancelsTheStageThatItAwaits(EventLoop loop) throws Exception {
        var stage = new CompletableFuture<String>();
        loop.run(() -> {
            var task = loop.spawn(() -> LoopFuture.from(stage).await());
            loop.callSoon(() -> loop.callSoon(task::cancel));
            assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
        });
        assertThat(stage).isCancelled();
    }

    @Test
    void aShieldKeepsTheCancelFromTheStage() {
        var stage = new CompletableFuture<String>();
        LoopFuture.from(stage).shield().cancel();
        assertThat(stage).isNotDone();
    }

    @Test
    void aStageWithoutAFutureBehindItGoesOn() {
        var stage = new CompletableFuture<String>();
        var future = LoopFuture.from(stage.minimalCompletionStage());
        assertThat(future.cancel()).isTrue();
        assertThat(stage).isNotDone();
        var refusing = new CompletableFuture<String>() {
            @Override
            public CompletableFuture<String> toCompletableFuture() {
                throw new UnsupportedOperationException("no");
            }
        };
        var other = LoopFuture.from(refusing);
        assertThat(other.cancel()).isTrue();
        assertThat(other.isCancelled()).isTrue();
        assertThat(refusing).isNotDone();
    }

    @Test
    void nullIsNoStage() {
        assertThatThrownBy(() -> LoopFuture.from((CompletionStage<String>) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("stage");
        assertThatThrownBy(() -> LoopFuture.from(null, (CompletionStage<String>) null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void aCompletionStageCannotBeCompletedByOthers() {
        var future = new LoopFuture<String>();
        var stage = future.toCompletionStage();
        var copy = stage.toCompletableFuture();
        copy.complete("mine");
        assertThat(future.isDone()).isFalse();
        var seen = new AtomicReference<String>();
        stage.whenComplete((value, error) -> seen.set(value));
        future.complete("x");
        assertThat(seen.get()).isEqualTo("x");
    }
}
