package io.github.uvloop4j.transport;

import java.util.concurrent.RejectedExecutionException;

/** What a cancel does, which may come from any thread. */
final class Posting {
    private Posting() {}

    /** Runs an action now on the loop thread, else as soon as the loop can; not at all once closing has ended all. */
    static void run(LoopIo io, Runnable action) {
        if (io.context().inLoop()) {
            action.run();
            return;
        }
        try {
            io.context().post(action);
        } catch (RejectedExecutionException closed) {
            // Closing the loop has ended what the action would end.
        }
    }
}
