package io.github.uvloop4j.guard;

import io.github.uvloop4j.EventLoop;
import java.util.concurrent.Callable;

/** In a child: runs something in a callback of a loop, where a call that blocks blocks the loop. */
final class OnLoop {
    private OnLoop() {}

    /** Runs a callback on a loop that does not run yet. */
    static <T> T call(EventLoop loop, Callable<T> body) throws Exception {
        var done = loop.<T>createFuture();
        loop.post(() -> {
            try {
                done.complete(body.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return loop.runUntilComplete(done);
    }

    /** Whether a probe raises in a callback of a loop. */
    static boolean raises(EventLoop loop, Probes.Probe probe) throws Exception {
        return call(loop, () -> raisesHere(probe));
    }

    /** Whether a probe raises on this thread. */
    static boolean raisesHere(Probes.Probe probe) throws Exception {
        try {
            probe.run();
            return false;
        } catch (BlockingCallError e) {
            return true;
        }
    }
}
