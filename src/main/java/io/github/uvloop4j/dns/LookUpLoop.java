package io.github.uvloop4j.dns;

import io.github.uvloop4j.uv.UvAsync;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop that libuv's look-ups are made on, with a thread of its own as long as there are some: a look-up ends on the
 * loop where it began, and so would keep a user's loop from being closed.
 */
final class LookUpLoop {
    private final ArrayDeque<LibuvLookUp<?>> begun = new ArrayDeque<>();
    private final ArrayDeque<LibuvLookUp<?>> givenUp = new ArrayDeque<>();
    private boolean alive;
    private @Nullable UvAsync bell;
    private int pending;
    private long finished;
    private long failed;

    /** Has a look-up begin. Any thread. */
    void begin(LibuvLookUp<?> lookUp) {
        boolean start;
        synchronized (this) {
            begun.add(lookUp);
            pending++;
            start = !alive;
            alive = true;
            ring();
        }
        if (start) {
            startThread();
        }
    }

    /** Has libuv give a look-up back if it can. Any thread. */
    synchronized void takeBack(LibuvLookUp<?> lookUp) {
        if (alive) {
            givenUp.add(lookUp);
            ring();
        }
    }

    private void ring() {
        if (bell != null) {
            bell.send();
        }
    }

    private void startThread() {
        try {
            LookUpThreads.thread("uvloop4j-libuv-resolve", this::run);
        } catch (OutOfMemoryError noThread) {
            fail(noThread);
        }
    }

    private void run() {
        try (var loop = UvLoop.create()) {
            var wake = new UvAsync(loop, () -> {});
            open(wake);
            try {
                serve(loop);
                while (!isOver()) {
                    loop.run(UvLoop.Mode.ONCE);
                    // It may be the last, and need no run: whoever rang for it did so already.
                    serve(loop);
                }
            } finally {
                silence();
            }
        } catch (UvException error) {
            fail(LookUpErrors.of(error));
        } catch (Throwable error) {
            fail(error);
        }
    }

    private synchronized void silence() {
        bell = null;
    }

    private synchronized void open(UvAsync wake) {
        bell = wake;
        // Whoever came before the bell did not ring it.
        wake.send();
    }

    private void serve(UvLoop loop) {
        for (var lookUp : drain(begun)) {
            lookUp.begin(loop);
        }
        drain(givenUp).forEach(LibuvLookUp::takeBack);
    }

    private synchronized List<LibuvLookUp<?>> drain(ArrayDeque<LibuvLookUp<?>> queue) {
        var all = new ArrayList<>(queue);
        queue.clear();
        return all;
    }

    /** Once over, nobody rings any more, and the next look-up starts another thread. */
    private synchronized boolean isOver() {
        if (pending > 0) {
            return false;
        }
        silence();
        alive = false;
        givenUp.clear();
        return true;
    }

    private void fail(Throwable error) {
        List<LibuvLookUp<?>> lost;
        synchronized (this) {
            lost = new ArrayList<>(begun);
            begun.clear();
            givenUp.clear();
            pending = 0;
            alive = false;
        }
        lost.forEach(lookUp -> lookUp.completeExceptionally(error));
    }

    /** A look-up is over. On the thread of the loop. */
    synchronized void ended(boolean hasFailed) {
        pending--;
        finished++;
        failed += hasFailed ? 1 : 0;
    }

    synchronized ResolverStatistics statistics() {
        return new ResolverStatistics(pending, 0, finished, failed, 0, 0);
    }
}
