package io.github.uvloop4j.concurrent;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The callback of one who watches many futures and may lose interest before all have ended. It also comes when the
 * future's loop has been closed, where it then runs in the thread that ends the future.
 */
final class Notice extends Callback {
    /** Whom notices tell; they come from the threads of all loops involved. */
    @FunctionalInterface
    interface Watcher {
        /** A future has ended. */
        void ended(LoopFuture<?> source);
    }

    private final LoopFuture<?> source;
    private volatile @Nullable Watcher watcher;

    Notice(LoopFuture<?> source, Watcher watcher) {
        this.source = source;
        this.watcher = watcher;
    }

    /** Waits for the future; when it is done already, the watcher is told at once. */
    void attach() {
        if (!source.push(this)) {
            run();
        }
    }

    /**
     * Tells nobody any more. A future that outlives many watchers must not collect their notices: this one leaves the
     * future's list, with those below it that could not leave before, as they were not the newest.
     */
    void release() {
        watcher = null;
        Callback newest = this;
        while (newest instanceof Notice notice && notice.watcher == null) {
            var below = notice.next;
            if (source.isDone() || !source.removeNewest(notice)) {
                return;
            }
            newest = below;
        }
    }

    @Override
    void fire(@Nullable LoopContext context) {
        if (context == null) {
            Nested.run(this);
        } else if (context.inLoop()) {
            context.soon(this);
        } else {
            try {
                context.post(this);
            } catch (RejectedExecutionException closed) {
                Nested.run(this);
            }
        }
    }

    @Override
    public void run() {
        var told = watcher;
        if (told != null) {
            told.ended(source);
        }
    }

    @Override
    public String toString() {
        return "a notice of " + source;
    }
}
