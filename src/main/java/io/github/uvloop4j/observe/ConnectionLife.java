package io.github.uvloop4j.observe;

import io.github.uvloop4j.concurrent.LoopContext;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection, for those who look on. Loop thread only. */
public interface ConnectionLife {
    /** Its loop. */
    LoopContext loop();

    /** What carries it: {@code tcp}. */
    String kind();

    /** Whether it came in by a server. */
    boolean isAccepted();

    /** The own address; null where there is none. */
    @Nullable
    SocketAddress local();

    /** The peer's address; null where there is none. */
    @Nullable
    SocketAddress peer();

    /** How many bytes were received so far. */
    long bytesReceived();

    /** How many bytes the kernel has taken so far. */
    long bytesSent();
}
