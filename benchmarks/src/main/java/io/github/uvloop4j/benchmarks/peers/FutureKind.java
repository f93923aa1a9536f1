package io.github.uvloop4j.benchmarks.peers;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.concurrent.CompletableFuture;

/**
 * A kind of future that an operation on a socket can return.
 *
 * @param <F> the future's type
 */
interface FutureKind<F> {
    F create();

    void complete(F future, int value);

    /** Waits in a task of the loop. */
    int await(F future) throws Exception;

    /** The library's own. */
    record Loop(EventLoop loop) implements FutureKind<LoopFuture<Integer>> {
        @Override
        public LoopFuture<Integer> create() {
            return loop.createFuture();
        }

        @Override
        public void complete(LoopFuture<Integer> future, int value) {
            future.complete(value);
        }

        @Override
        public int await(LoopFuture<Integer> future) throws Exception {
            return future.await();
        }
    }

    /** The JDK's. */
    record Completable() implements FutureKind<CompletableFuture<Integer>> {
        @Override
        public CompletableFuture<Integer> create() {
            return new CompletableFuture<>();
        }

        @Override
        public void complete(CompletableFuture<Integer> future, int value) {
            future.complete(value);
        }

        @Override
        public int await(CompletableFuture<Integer> future) {
            return future.join();
        }
    }
}
