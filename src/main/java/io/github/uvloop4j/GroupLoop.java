package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.affinity.Unpinned;
import io.github.uvloop4j.concurrent.Throwables;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One loop of a group, and its thread: pinned first, so that what the loop is made of is touched first on its own CPU;
 * then the loop is made, runs and is closed there.
 */
final class GroupLoop {
    /** A loop's thread has ended. */
    interface Listener {
        void ended(GroupLoop member, @Nullable Throwable failure);
    }

    private final int index;
    private final Pinning pinning;
    private final LoopOptions options;
    private final @Nullable BiConsumer<EventLoop, ExceptionContext> handler;
    private final Listener listener;
    private final CompletableFuture<EventLoop> made = new CompletableFuture<>();
    private final Thread thread;
    private volatile long threadId;

    GroupLoop(int index, Pinning pinning, GroupOptions group, Listener listener) {
        this.index = index;
        this.pinning = pinning;
        this.options = group.loop().name(group.loop().name() + "-loop-" + index).pin(pinning);
        this.handler = group.exceptionHandler();
        this.listener = listener;
        this.thread = Thread.ofPlatform().name(options.name()).unstarted(Unpinned.unpinned(this::live));
    }

    int index() {
        return index;
    }

    Pinning pinning() {
        return pinning;
    }

    long threadId() {
        return threadId;
    }

    void start() {
        thread.start();
    }

    /** The loop, once it runs; throws what kept it from running. */
    EventLoop await() {
        try {
            return made.join();
        } catch (CompletionException e) {
            var cause = e.getCause();
            throw cause == null ? e : Throwables.<RuntimeException>sneak(cause);
        }
    }

    private void live() {
        Throwable failure = null;
        try (var _ = LoopPinning.enter(pinning)) {
            threadId = Affinity.threadId();
            run();
        } catch (Throwable error) {
            failure = error;
            made.completeExceptionally(error);
        }
        listener.ended(this, failure);
    }

    private void run() {
        try (var loop = EventLoop.create(options)) {
            if (handler != null) {
                loop.exceptionHandler(context -> handler.accept(loop, context));
            }
            loop.callSoon(() -> made.complete(loop));
            loop.runForever();
        }
    }

    void stop() {
        made.thenAccept(EventLoop::stop);
    }

    /** Waits for the thread's end; whether it has come. */
    boolean join(long nanos) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + nanos;
        try {
            while (thread.isAlive()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    thread.join(Duration.ofNanos(left));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Where the thread is, as an exception that can be logged. */
    Throwable where() {
        var where = new Throwable("it is here");
        where.setStackTrace(thread.getStackTrace());
        return where;
    }

    /** Asks a callback that blocks to give up. */
    void interrupt() {
        thread.interrupt();
    }
}
