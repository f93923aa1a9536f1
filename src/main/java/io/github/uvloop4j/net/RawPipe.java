package io.github.uvloop4j.net;

/**
 * An end of a pipe, a FIFO, a terminal or a connected stream socket, non-blocking and close-on-exec, the one owner of its
 * descriptor until {@link Network} takes it over. Loop thread only.
 */
public interface RawPipe extends AutoCloseable {
    /** The descriptor. Throws IllegalStateException when it is closed or given away. */
    int fd();

    /** Whether it was opened to read. */
    boolean isReadable();

    /** Whether it was opened to write. */
    boolean isWritable();

    /** Whether it is open and not given away. */
    boolean isOpen();

    /**
     * Gives the descriptor away: the caller owns it, and this pipe is of no further use.
     *
     * @throws IllegalStateException when it is closed or given away
     */
    int detach();

    /** Closes it, but for the descriptors 0 to 2, which stay open. A second call does nothing. */
    @Override
    void close();
}
