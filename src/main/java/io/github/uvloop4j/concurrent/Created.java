package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/** What knows the place where it was made, if its loop ran in debug mode. */
public interface Created {
    /** The place, as an exception that was never thrown; null without debug mode. Any thread. */
    @Nullable
    Throwable creation();

    /** The place where an object was made, if it knows it; else null. Any thread. */
    static @Nullable Throwable of(@Nullable Object object) {
        return object instanceof Created created ? created.creation() : null;
    }
}
