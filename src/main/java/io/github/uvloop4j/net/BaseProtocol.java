package io.github.uvloop4j.net;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a connection, in callbacks: {@code connectionMade} once, then data, then at most one end of file,
 * then {@code connectionLost} once. What a callback throws goes to the loop's exception handler. Loop thread.
 */
public sealed interface BaseProtocol permits Protocol, BufferedProtocol {
    /** The connection is there. Reading starts after this. */
    default void connectionMade(Transport transport) {}

    /**
     * The peer has ended its side. Return true to go on writing; false, the default, closes the transport once what was
     * written has gone out.
     */
    default boolean eofReceived() {
        return false;
    }

    /** The connection is over: null after a close or abort of ours or an end of file, else what broke it. */
    default void connectionLost(@Nullable Throwable cause) {}

    /** The write buffer is above its high-water mark: stop writing. */
    default void pauseWriting() {}

    /** The write buffer is at or below its low-water mark again. */
    default void resumeWriting() {}
}
