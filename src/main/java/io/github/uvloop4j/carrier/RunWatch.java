package io.github.uvloop4j.carrier;

import org.jspecify.annotations.Nullable;

/** Whoever wants to know when a thread begins or ends to run a loop: one in the JVM, and a read of a field when none. */
public final class RunWatch {
    private static volatile @Nullable Runnable listener;

    private RunWatch() {}

    /** Sets what is called, on the thread in question; it must not block nor throw. Any thread. */
    public static void listen(Runnable changed) {
        listener = changed;
    }

    /** A loop runs on a thread from now on, or no more. Any thread. */
    public static void changed() {
        var told = listener;
        if (told != null) {
            told.run();
        }
    }
}
