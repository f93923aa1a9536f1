package io.github.uvloop4j.guard;

import org.jspecify.annotations.Nullable;

/** What a thread or task is allowed now: it exists only while there is something. */
final class Allowed {
    private static final ThreadLocal<@Nullable Allowed> HERE = new ThreadLocal<>();

    private int depth;

    private Allowed() {}

    /** Whether the caller may block. */
    static boolean here() {
        return HERE.get() != null;
    }

    static Allowed enter() {
        var allowed = HERE.get();
        if (allowed == null) {
            allowed = new Allowed();
            HERE.set(allowed);
        }
        allowed.depth++;
        return allowed;
    }

    void leave() {
        if (--depth == 0) {
            HERE.remove();
        }
    }
}
