package io.github.uvloop4j.dns;

import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvPoolRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A look-up on libuv's pool. Given up, it is taken back if no thread has begun with it; else libuv goes on with it, for
 * nobody.
 *
 * @param <T> the answer's type
 */
abstract class LibuvLookUp<T> extends CompletableFuture<T> {
    private final LookUpLoop home;
    private @Nullable UvPoolRequest request;

    LibuvLookUp(LookUpLoop home) {
        this.home = home;
    }

    /** Starts it, and has {@link #over} called at its end. On the thread of the loop. */
    abstract UvPoolRequest start(UvLoop loop);

    /** On the thread of the loop. */
    final void begin(UvLoop loop) {
        if (isDone()) {
            home.ended(false);
            return;
        }
        try {
            request = start(loop);
        } catch (Throwable error) {
            home.ended(true);
            completeExceptionally(error);
        }
    }

    /** libuv is done with it, well or with a failure. */
    final void over(@Nullable Exception failure, @Nullable T answer) {
        var done = request;
        request = null;
        if (done != null) {
            done.free();
        }
        home.ended(failure != null);
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(answer);
        }
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            home.takeBack(this);
        }
        return cancelled;
    }

    /** On the thread of the loop. */
    final void takeBack() {
        var pending = request;
        if (pending != null) {
            pending.cancel();
        }
    }
}
