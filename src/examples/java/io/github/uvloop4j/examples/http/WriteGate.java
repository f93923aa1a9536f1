package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;

/** Shut while a client takes nothing; a task waits before it. */
final class WriteGate {
    private boolean shut;
    private LoopFuture<Void> opened;

    boolean isShut() {
        return shut;
    }

    void shut() {
        shut = true;
    }

    void open() {
        shut = false;
        var waiting = opened;
        opened = null;
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    void await() throws Exception {
        while (shut) {
            if (opened == null) {
                opened = EventLoop.current().createFuture();
            }
            opened.await();
        }
    }
}
