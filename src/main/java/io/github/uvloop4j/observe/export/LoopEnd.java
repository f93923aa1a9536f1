package io.github.uvloop4j.observe.export;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.CallHandle;
import io.github.uvloop4j.concurrent.LoopContext;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Something that is done when a loop closes. Until then the loop refers to it, so that what others refer to weakly lives
 * as long as its loop. Any thread.
 */
public final class LoopEnd {
    private final EventLoop loop;
    private final Runnable action;
    private @Nullable CallHandle handle;
    private volatile boolean cancelled;

    private LoopEnd(EventLoop loop, Runnable action) {
        this.loop = loop;
        this.action = action;
    }

    /** Does something when a loop closes; at once when it is closed. */
    public static LoopEnd of(EventLoop loop, Runnable action) {
        var end = new LoopEnd(loop, action);
        if (!end.post(end::begin)) {
            action.run();
        }
        return end;
    }

    private boolean post(Runnable onLoop) {
        try {
            loop.post(onLoop);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private void begin() {
        var context = LoopContext.current();
        if (!cancelled && context != null) {
            handle = context.onClose(this::end);
        }
    }

    private void end() {
        if (!cancelled) {
            action.run();
        }
    }

    /** Takes it back: the loop lets go of it. */
    public void cancel() {
        cancelled = true;
        post(this::drop);
    }

    private void drop() {
        if (handle != null) {
            handle.cancel();
        }
    }
}
