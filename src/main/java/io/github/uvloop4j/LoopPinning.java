package io.github.uvloop4j;

import io.github.uvloop4j.affinity.AffinityException;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.affinity.Scope;
import io.github.uvloop4j.affinity.Unpinned;
import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.concurrent.Throwables;
import io.github.uvloop4j.uv.UvPool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Pins the threads that run loops. */
final class LoopPinning {
    private LoopPinning() {}

    /** libuv's workers inherit the CPUs of the thread that is the first to need them. */
    private static final class Workers {
        static {
            var starter =
                    Thread.ofPlatform().daemon().name("uvloop4j-pool-start").start(Unpinned.unpinned(UvPool::start));
            Threads.joinFully(starter);
        }

        private Workers() {}

        static void ready() {}
    }

    /** Pins the calling thread, which is to run a loop, until the scope is closed. Throws AffinityException. */
    static Scope enter(Pinning pinning) {
        if (!pinning.isNone()) {
            Workers.ready();
        }
        return pinning.enter(message -> LoopLog.warn(message, null));
    }

    /** Pins a thread that is to run a loop, and tells who waits for it. */
    static final class Handshake {
        private final CompletableFuture<Boolean> pinned = new CompletableFuture<>();

        /** On the thread: pins it, runs a body, or does nothing when it cannot be pinned. */
        void run(Pinning pinning, Runnable body) {
            Scope scope;
            try {
                scope = enter(pinning);
            } catch (Throwable error) {
                pinned.completeExceptionally(error);
                return;
            }
            try (scope) {
                pinned.complete(true);
                body.run();
            }
        }

        /** Waits until the thread is pinned; throws what pinning threw. */
        void await() {
            try {
                pinned.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof AffinityException why) {
                    throw why;
                }
                Throwables.<RuntimeException>sneak(e);
            }
        }
    }
}
