package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.tls.Tls;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection for tasks. Reading and writing park only the task. One task may read and another write at the same
 * time. Loop thread only.
 *
 * <p>What arrives while nobody reads is kept up to the read limit (64 KiB at first), then the kernel holds it back.
 */
public interface Connection extends Closeable {
    /**
     * Reads what is there, at least one byte, into the buffer and moves its position; parks while there is nothing. A
     * direct buffer is read into without a copy: leave it alone until this returns.
     *
     * @return how many bytes; -1 at the end of the stream; 0 only for a full buffer
     */
    int read(ByteBuffer target) throws IOException;

    /** Fills the buffer. Throws {@link IncompleteReadException} at the end of the stream. */
    void readExactly(ByteBuffer target) throws IOException;

    /** Reads so many bytes. Throws {@link IncompleteReadException} with those before the end of the stream. */
    byte[] readExactly(int count) throws IOException;

    /** Reads until the end of the stream. */
    byte[] readAll() throws IOException;

    /**
     * Reads through a separator, which is part of the result.
     *
     * @throws IncompleteReadException at the end of the stream, with what came before
     * @throws LimitOverrunException when it is not within the read limit; the bytes stay to be read
     */
    byte[] readUntil(byte[] separator) throws IOException;

    /**
     * Reads a line without its end, LF or CRLF, as UTF-8; null at the end of the stream. The last line may lack its end.
     *
     * @throws LimitOverrunException when it is longer than the read limit; the bytes stay to be read
     */
    @Nullable
    String readLine() throws IOException;

    /** The read limit in bytes. */
    int readLimit();

    /** Sets the read limit, at least 1. */
    void readLimit(int bytes);

    /**
     * Writes the buffer's remaining bytes: what the kernel takes now is sent now, the rest is copied and sent later.
     * Parks while more than the high-water mark waits to be sent. The buffer is the caller's again on return.
     */
    void write(ByteBuffer data) throws IOException;

    /** {@link #write(ByteBuffer)} for an array. */
    default void write(byte[] data) throws IOException {
        write(ByteBuffer.wrap(data));
    }

    /** {@link #write(ByteBuffer)} for text as UTF-8. */
    default void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes several buffers in order, in as few system calls as possible. */
    void writeLines(List<ByteBuffer> lines) throws IOException;

    /** Parks until what waits to be sent is at or below the low-water mark, if it was above the high one. */
    void drain() throws IOException;

    /** Parks until all that was written has been handed to the kernel. */
    void flush() throws IOException;

    /** Sends all that comes to another connection, until the end of the stream; returns how many bytes. */
    long transferTo(Connection target) throws IOException;

    /**
     * Sends a regular file from a position on; parks until all of it has been handed to the kernel. The kernel reads it
     * from the page cache or the disk itself, without a copy through this process; a slow disk or peer holds up neither the
     * loop nor anything else. Under TLS it is read and written in pieces. What other tasks write meanwhile is sent after it.
     *
     * @param position where to begin, 0 or more
     * @param count how many bytes at most, 0 or more
     * @return how many bytes were sent: fewer when the file is shorter
     * @throws java.nio.file.NoSuchFileException and other FileSystemExceptions when it cannot be read
     */
    long sendFile(Path file, long position, long count) throws IOException;

    /** Sends a whole regular file. */
    default long sendFile(Path file) throws IOException {
        return sendFile(file, 0, Long.MAX_VALUE);
    }

    /**
     * Its reading side as a stream, for code that wants one: each read parks the task that calls it. Closing the stream
     * closes the connection.
     */
    InputStream inputStream();

    /**
     * Its writing side as a stream: a write parks as {@link #write} does, {@code flush} as {@link #flush}. Closing the
     * stream closes the connection.
     */
    OutputStream outputStream();

    /**
     * Starts TLS on it, and parks until the handshake is over. Goes on with the connection that this returns; this one can
     * only be closed from then on, and both end together. What was read ahead belongs to TLS: plain text that somebody
     * put in front of it fails the handshake. When this fails or is cancelled the connection is gone.
     *
     * @throws IllegalArgumentException when a client must verify a name and knows none: set {@code serverName} then
     * @throws IllegalStateException while a task reads or writes, or when TLS was started before
     */
    Connection startTls(Tls tls) throws IOException;

    /** What its TLS handshake agreed on; null without TLS. */
    @Nullable
    TlsInfo tls();

    /** Ends the writing side once what was written has gone out; a second call does nothing. */
    void shutdownOutput() throws IOException;

    /** Sends what was written, then closes; does not wait for it. Tasks that read fail. A second call does nothing. */
    @Override
    void close();

    /** Closes at once; what was not sent is dropped. */
    void abort();

    /** Closes at once with a reset, which the peer sees as an error. */
    void reset();

    /** Done when the connection is gone; never fails. */
    LoopFuture<@Nullable Void> waitClosed();

    /** Whether it is closing or closed. */
    boolean isClosing();

    /**
     * Whether nothing is under way: both directions are open, all that arrived was read, all that was written has been
     * handed to the kernel, and no task waits for either. From then on the end of the stream is noticed without a reader,
     * as far as the loop has polled since. What a pool asks before a connection serves again.
     */
    boolean isIdle();

    /** Sets the water marks of the write buffer. */
    void writeBufferLimits(WriteLimits limits);

    /** How many bytes wait to be sent. */
    long writeBufferSize();

    /** The own address; stays known after close. */
    SocketAddress localAddress();

    /** The peer's address; stays known after close. */
    SocketAddress peerAddress();
}
