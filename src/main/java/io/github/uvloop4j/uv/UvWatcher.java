package io.github.uvloop4j.uv;

import org.jspecify.annotations.Nullable;

/** The handles whose callback has no argument. */
public abstract sealed class UvWatcher extends UvHandle permits UvAsync, UvTimer, UvIdle, UvPrepare, UvCheck {
    private @Nullable Runnable callback;

    UvWatcher(UvLoop loop, int type) {
        super(loop, type);
    }

    final void callback(Runnable action) {
        callback = action;
    }

    final void fire() {
        var action = callback;
        if (action != null && !isClosing()) {
            action.run();
        }
    }

    @Override
    final void onReleased() {
        callback = null;
    }
}
