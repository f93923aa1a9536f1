package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Raw non-blocking sockets with futures, and callbacks for any descriptor that can be polled. Each operation tries the
 * system call first and waits only if it must. One reader and one writer a socket at a time. Loop thread only.
 */
public interface Sockets {
    /** A TCP socket of a family, {@code StandardProtocolFamily.INET} or {@code INET6}. */
    RawSocket openTcp(ProtocolFamily family) throws IOException;

    /** A socket of datagrams of a family, {@code StandardProtocolFamily.INET} or {@code INET6}. */
    RawSocket openUdp(ProtocolFamily family) throws IOException;

    /** A Unix socket that is neither bound nor connected. */
    RawSocket openUnix(SocketType type) throws IOException;

    /** Two Unix sockets that are connected to each other. */
    SocketPair openUnixPair(SocketType type) throws IOException;

    /**
     * Takes the descriptor of a socket of a stream or of datagrams over, which is set non-blocking and close-on-exec.
     *
     * @throws IllegalArgumentException when the descriptor is no such socket; it stays the caller's
     */
    RawSocket adopt(int fd);

    /** A pipe, whose ends are non-blocking and close-on-exec. */
    PipePair openPipe() throws IOException;

    /**
     * Opens a FIFO without waiting for who opens its other end.
     *
     * @throws java.nio.file.FileSystemException when the path is none, and for WRITE when nobody has opened it to read
     */
    RawPipe openFifo(Path path, FifoMode mode) throws IOException;

    /**
     * Takes the descriptor of a pipe, a FIFO, a terminal (either end of a pty), another device that can be waited for,
     * or a connected socket of a stream over. It is set non-blocking, for all who share it, and close-on-exec.
     *
     * @throws IllegalArgumentException when the descriptor is none of these, such as a regular file; it stays the
     *     caller's
     */
    RawPipe adoptPipe(int fd);

    /** Receives at most so many bytes; an empty array at the end of the stream. */
    LoopFuture<byte[]> sockRecv(RawSocket socket, int maxBytes);

    /** Receives into a buffer and moves its position; the count, or -1 at the end of the stream. */
    LoopFuture<Integer> sockRecvInto(RawSocket socket, ByteBuffer target);

    /** Sends all of the buffer, which must stay as it is until the future is done. */
    LoopFuture<@Nullable Void> sockSendAll(RawSocket socket, ByteBuffer data);

    /** Receives a datagram of at most so many bytes. */
    LoopFuture<Datagram> sockRecvFrom(RawSocket socket, int maxBytes);

    /** Receives a datagram into a buffer and moves its position. */
    LoopFuture<Received> sockRecvFromInto(RawSocket socket, ByteBuffer target);

    /** Sends the buffer as one datagram; it must stay as it is until the future is done. */
    LoopFuture<@Nullable Void> sockSendTo(RawSocket socket, ByteBuffer data, SocketAddress target);

    /**
     * Sends all of the buffer over a connected Unix socket, which must stay as it is until the future is done, and a
     * descriptor with its first byte. The descriptor stays the caller's; closing it meanwhile does no harm.
     *
     * @throws IllegalArgumentException when the socket is no Unix socket, the buffer is empty or the descriptor closed
     */
    LoopFuture<@Nullable Void> sockSendDescriptor(RawSocket socket, ByteBuffer data, int fd);

    /**
     * Receives from a Unix socket into a buffer, moves its position, and takes the descriptor that comes with the bytes,
     * if one does. Any other operation that receives those bytes has the kernel close it. Fails with an IOException when
     * several come with one message, or one cannot be taken as the process has too many: all that came are closed, and
     * the bytes of a stream stay to be received.
     *
     * @throws IllegalArgumentException when the socket is no Unix socket, or the buffer has no room
     */
    LoopFuture<ReceivedDescriptor> sockRecvDescriptor(RawSocket socket, ByteBuffer target);

    /** Accepts a connection. */
    LoopFuture<Accepted> sockAccept(RawSocket socket);

    /**
     * Connects. An unresolved address is looked up, for the family of the socket, and the first of those that are found is
     * taken.
     */
    LoopFuture<@Nullable Void> sockConnect(RawSocket socket, SocketAddress address);

    /**
     * Runs an action whenever a descriptor can be read, in place of an earlier one. The descriptor must stay open until
     * removed.
     *
     * @throws IllegalStateException when a transport or connection owns the descriptor
     */
    void addReader(int fd, Runnable action);

    /** Removes the reader of a descriptor; false when there was none. */
    boolean removeReader(int fd);

    /** Runs an action whenever a descriptor can be written, in place of an earlier one. Errors as for addReader. */
    void addWriter(int fd, Runnable action);

    /** Removes the writer of a descriptor; false when there was none. */
    boolean removeWriter(int fd);
}
