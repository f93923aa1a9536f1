package io.github.uvloop4j.affinity;

import java.util.Objects;

/** Threads that must not inherit the CPUs of the thread that happens to start them. */
public final class Unpinned {
    private Unpinned() {}

    /**
     * A body for a thread, which gives the thread the initial CPUs before anything else. Costs nothing as long as this
     * package has pinned nobody. Any thread.
     */
    public static Runnable unpinned(Runnable body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            if (NoLeak.isNeeded()) {
                Affinity.binder().settle();
                LocalMemory.settle();
            }
            body.run();
        };
    }
}
