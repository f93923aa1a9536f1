package io.github.uvloop4j.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How far a TLS transport has come. Its parts share it. */
final class TlsLife {
    /** The handshake has succeeded. */
    boolean established;

    /** This side ends it, in order or not. */
    boolean closing;

    /** The transport below is gone. */
    boolean gone;

    /** It closes as soon as a file was sent. */
    boolean endWanted;

    /** Why it ends, unless in order. */
    @Nullable
    IOException failure;

    /** Whether the protocol gets what comes. */
    boolean isFlowing() {
        return established && !closing && !gone;
    }

    boolean isEnding() {
        return closing || gone || endWanted || failure != null;
    }
}
