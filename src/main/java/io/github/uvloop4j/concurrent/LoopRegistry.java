package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open loops of this JVM. They are few, so a scan beats a thread-local that every task would have to carry. */
public final class LoopRegistry {
    private static volatile LoopContext[] loops = {};

    private LoopRegistry() {}

    /** Adds a loop that opens. Any thread. */
    public static synchronized void add(LoopContext loop) {
        var list = new ArrayList<>(List.of(loops));
        list.add(loop);
        loops = list.toArray(LoopContext[]::new);
    }

    /** Removes a loop that has closed. Any thread. */
    public static synchronized void remove(LoopContext loop) {
        var list = new ArrayList<>(List.of(loops));
        list.removeAll(Collections.singleton(loop));
        loops = list.toArray(LoopContext[]::new);
    }

    /** The open loops. Any thread. */
    public static List<LoopContext> all() {
        return List.of(loops);
    }

    /** The running loop of the caller; one that rests with this thread only if none runs. */
    static @Nullable LoopContext current() {
        LoopContext resting = null;
        for (var loop : loops) {
            if (loop.inLoop()) {
                if (loop.isRunning()) {
                    return loop;
                }
                if (resting == null) {
                    resting = loop;
                }
            }
        }
        return resting;
    }
}
