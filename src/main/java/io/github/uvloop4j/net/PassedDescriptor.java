package io.github.uvloop4j.net;

/**
 * A descriptor that came over a Unix socket, close-on-exec. Whoever {@link #detach detaches} it owns it; one that nobody
 * takes is closed with the loop. Loop thread only.
 */
public interface PassedDescriptor extends AutoCloseable {
    /** The descriptor. Throws IllegalStateException when it is closed or taken. */
    int fd();

    /** Takes it, for {@link Sockets#adopt}, {@link Sockets#adoptPipe} or anything else. Errors as for fd. */
    int detach();

    /** Closes it unless it was taken. A second call does nothing. */
    @Override
    void close();
}
