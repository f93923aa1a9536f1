package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stops the loop when its future is done, unless the run is over by then. */
final class Stopper<T extends @Nullable Object> implements Runnable {
    private final EventLoop loop;
    private final Supplier<? extends LoopFuture<T>> source;
    private @Nullable LoopFuture<T> future;
    private volatile boolean over;

    Stopper(EventLoop loop, Supplier<? extends LoopFuture<T>> source) {
        this.loop = loop;
        this.source = source;
    }

    /** Gets the future and watches it; the run's first callback. */
    void begin() {
        future = source.get();
        future.onDone(this);
    }

    @Override
    public void run() {
        if (!over) {
            loop.stop();
        }
    }

    /** The run is over: from now on the future stops nothing. */
    void over() {
        over = true;
    }

    T result() throws Exception {
        var awaited = future;
        if (awaited == null || !awaited.isDone()) {
            throw new IllegalStateException("the loop was stopped before the future was done: " + awaited);
        }
        return awaited.result();
    }
}
