package io.github.uvloop4j.net;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writing side of a protocol's connection. Loop thread only. */
public interface Transport {
    /**
     * Writes the buffer's remaining bytes: what the kernel takes now is sent now, the rest is copied and sent later. The
     * buffer is the caller's again on return. After close the bytes are dropped.
     *
     * @throws IllegalStateException after {@link #writeEof}
     */
    void write(ByteBuffer data);

    /** {@link #write(ByteBuffer)} for an array. */
    default void write(byte[] data) {
        write(ByteBuffer.wrap(data));
    }

    /** Writes several buffers in order, in as few system calls as possible. */
    void writeLines(List<ByteBuffer> lines);

    /** Ends the writing side once what was written has gone out; a second call does nothing. */
    void writeEof();

    /** Whether the writing side can be ended alone. */
    boolean canWriteEof();

    /** Stops reading, sends what was written, then closes. A second call does nothing. */
    void close();

    /** Closes at once; what was not sent is dropped. */
    void abort();

    /** Closes at once with a reset, which the peer sees as an error. */
    void reset();

    /** Whether it is closing or closed. */
    boolean isClosing();

    /** Whether it is reading: neither paused, at end of file nor closing. */
    boolean isReading();

    /** Stops the flow of data to the protocol until {@link #resumeReading}; harmless at any time. */
    void pauseReading();

    /** Lets data flow again; harmless at any time. */
    void resumeReading();

    /** The protocol. */
    BaseProtocol protocol();

    /** Changes the protocol, which is told neither of connection nor of what came before. */
    void protocol(BaseProtocol protocol);

    /** Sets the water marks. */
    void writeBufferLimits(WriteLimits limits);

    /** The water marks. */
    WriteLimits writeBufferLimits();

    /** How many bytes wait to be sent. */
    long writeBufferSize();

    /** The own address; stays known after close. */
    SocketAddress localAddress();

    /** The peer's address; stays known after close. */
    SocketAddress peerAddress();

    /** What its TLS handshake agreed on; null without TLS. */
    default @Nullable TlsInfo tls() {
        return null;
    }

    /**
     * What else is known of the connection under a name: {@code sockname}, {@code peername}; with TLS {@code sslcontext},
     * {@code ssl_object} (the session), {@code peercert} and {@code cipher}. Null for other names.
     */
    @Nullable
    Object extraInfo(String name);
}
