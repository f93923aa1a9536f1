package io.github.uvloop4j.dns;

import io.github.uvloop4j.affinity.Unpinned;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads for look-ups, which may hang and cannot be stopped: a limited number of them, none when there is nothing
 * to do.
 */
final class LookUpThreads {
    static final LookUpThreads SHARED = new LookUpThreads(64);

    private final int most;
    private final ArrayDeque<LookUp<?>> queue = new ArrayDeque<>();
    private int running;
    private long finished;
    private long failed;

    LookUpThreads(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("threads must be 1 or more: " + most);
        }
        this.most = most;
    }

    private final class LookUp<T> extends CompletableFuture<T> {
        private final Callable<T> body;

        LookUp(Callable<T> body) {
            this.body = body;
        }

        void perform() {
            T found;
            try {
                found = body.call();
            } catch (Throwable error) {
                over(true);
                completeExceptionally(error);
                return;
            }
            over(false);
            complete(found);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                forget(this);
            }
            return cancelled;
        }
    }

    /** Runs a look-up, now or when a thread is free; cancelling it takes it from the queue. */
    <T> CompletableFuture<T> run(Callable<T> body) {
        var lookUp = new LookUp<>(body);
        if (begin(lookUp)) {
            try {
                thread("uvloop4j-resolve", () -> work(lookUp));
            } catch (OutOfMemoryError noThread) {
                end();
                lookUp.completeExceptionally(noThread);
            }
        }
        return lookUp;
    }

    /** Starts a daemon that keeps nothing of the thread that happens to need it, nor of its CPUs. */
    static void thread(String name, Runnable body) {
        var thread = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(Unpinned.unpinned(body));
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        thread.start();
    }

    private void work(LookUp<?> first) {
        for (@Nullable LookUp<?> next = first; next != null; next = next()) {
            next.perform();
        }
    }

    private synchronized boolean begin(LookUp<?> lookUp) {
        if (running == most) {
            queue.add(lookUp);
            return false;
        }
        running++;
        return true;
    }

    private synchronized @Nullable LookUp<?> next() {
        var next = queue.poll();
        if (next == null) {
            running--;
        }
        return next;
    }

    private synchronized void end() {
        running--;
    }

    private synchronized void over(boolean hasFailed) {
        finished++;
        failed += hasFailed ? 1 : 0;
    }

    private synchronized void forget(LookUp<?> lookUp) {
        queue.remove(lookUp);
    }

    synchronized ResolverStatistics statistics() {
        return new ResolverStatistics(running, queue.size(), finished, failed, 0, 0);
    }
}
