package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
}
