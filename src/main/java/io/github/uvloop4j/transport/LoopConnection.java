package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Connection;
import org.jspecify.annotations.Nullable;

/** A connection for tasks, as the rest of the loop's own sees it. Loop thread only. */
interface LoopConnection extends Connection {
    /** How many bytes can be read without a wait. */
    int available();

    /** Whether the peer has ended its side. */
    boolean atEnd();

    /** In debug mode: the place where the user asked for it. */
    void createdAt(@Nullable Throwable place);
}
