package io.github.uvloop4j.pool;

import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.LoopContext;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The loop that a pool belongs to: that of its first use. */
final class Home {
    private static final Runnable NOTHING = () -> {};

    private final ConnectionPool<?> pool;
    private volatile @Nullable LoopContext loop;
    private @Nullable CallHandle closing;

    Home(ConnectionPool<?> pool) {
        this.pool = pool;
    }

    /** The loop, on which the caller is. */
    LoopContext enter() {
        var bound = loop;
        if (bound == null) {
            bound = bind();
        }
        if (!bound.inLoop()) {
            throw new IllegalStateException(
                    pool + " belongs to another loop or thread than the caller's: " + Thread.currentThread());
        }
        return bound;
    }

    private synchronized LoopContext bind() {
        var bound = loop;
        if (bound == null) {
            bound = LoopContext.current();
            if (bound == null) {
                throw new IllegalStateException("not on the thread of a loop: " + Thread.currentThread());
            }
            closing = bound.onClose(pool::loopCloses);
            loop = bound;
        }
        return bound;
    }

    /** The pool has closed: it need not be told of the loop's end. */
    void leave() {
        if (closing != null) {
            closing.cancel();
        }
    }

    /** Whether there is a loop and it has not closed. Any thread. */
    boolean isOpen() {
        return post(NOTHING);
    }

    /** False when the loop has closed. Any thread. */
    boolean post(Runnable action) {
        var bound = loop;
        if (bound == null) {
            return false;
        }
        try {
            bound.post(action);
            return true;
        } catch (RejectedExecutionException loopIsClosed) {
            return false;
        }
    }

    /** Reports an error, unless the loop has closed: then everything fails, and nobody listens. Any thread. */
    void report(String message, Throwable error) {
        var bound = loop;
        if (bound != null && isOpen()) {
            bound.report(message, error, null);
        }
    }
}
