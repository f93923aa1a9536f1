package io.github.uvloop4j.transport;

import org.jspecify.annotations.Nullable;

/** Something that keeps output until the end of the turn; the loop's list of those is linked through it. */
abstract class Flush {
    @Nullable
    Flush nextDirty;

    /** The end of the turn. */
    abstract void flushNow();
}
