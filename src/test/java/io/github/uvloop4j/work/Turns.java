package io.github.uvloop4j.work;

import io.github.uvloop4j.EventLoop;

/** Lets a task wait for the loop. */
final class Turns {
    private Turns() {}

    /** Returns when all that was queued has run. In a task. */
    static void next(EventLoop loop) throws Exception {
        var turn = loop.<Integer>createFuture();
        loop.callSoon(() -> turn.complete(1));
        turn.await();
    }
}
