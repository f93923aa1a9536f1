package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What carries the records of TLS. Once secured it belongs to the TLS above it: whoever had it before can close it, but
 * can neither write to it nor read from it, which would break the stream of records.
 */
interface TlsLower {
    /** Hands it over: what it receives, and its end, go to a protocol from now on. */
    void secure(TlsTransport above, Protocol below);

    /** Whether it has told its protocol to pause writing. */
    boolean isWritingPaused();

    /** Writes records. */
    void carry(ByteBuffer records);

    /** Stops to read. */
    void hold();

    /** Reads again. */
    void flow();

    /** Closes once what was written has gone out. */
    void end();

    /** As {@link Transport#abort}. */
    void abort();

    /** As {@link Transport#reset}. */
    void reset();

    /** As {@link Transport#writeBufferLimits(WriteLimits)}. */
    void writeBufferLimits(WriteLimits limits);

    /** As {@link Transport#writeBufferSize}. */
    long writeBufferSize();

    /** As {@link Transport#isClosing}. */
    boolean isClosing();

    /** As {@link Transport#localAddress}. */
    SocketAddress localAddress();

    /** As {@link Transport#peerAddress}. */
    SocketAddress peerAddress();

    /** The host that was asked for when it was connected; null when that is not known. */
    @Nullable
    String peerHost();

    /** As {@link Transport#extraInfo}. */
    @Nullable
    Object extraInfo(String name);

    /** The carrier that a transport is. */
    static TlsLower of(Transport transport) {
        return transport instanceof TlsLower own ? own : new Foreign(transport);
    }

    /** A transport that is not of this library: nothing keeps its owner from using it meanwhile. */
    record Foreign(Transport transport) implements TlsLower {
        @Override
        public void secure(TlsTransport above, Protocol below) {
            transport.protocol(below);
        }

        @Override
        public boolean isWritingPaused() {
            return false;
        }

        @Override
        public void carry(ByteBuffer records) {
            transport.write(records);
        }

        @Override
        public void hold() {
            transport.pauseReading();
        }

        @Override
        public void flow() {
            transport.resumeReading();
        }

        @Override
        public void end() {
            transport.close();
        }

        @Override
        public void abort() {
            transport.abort();
        }

        @Override
        public void reset() {
            transport.reset();
        }

        @Override
        public void writeBufferLimits(WriteLimits limits) {
            transport.writeBufferLimits(limits);
        }

        @Override
        public long writeBufferSize() {
            return transport.writeBufferSize();
        }

        @Override
        public boolean isClosing() {
            return transport.isClosing();
        }

        @Override
        public SocketAddress localAddress() {
            return transport.localAddress();
        }

        @Override
        public SocketAddress peerAddress() {
            return transport.peerAddress();
        }

        @Override
        public @Nullable String peerHost() {
            return null;
        }

        @Override
        public @Nullable Object extraInfo(String name) {
            return transport.extraInfo(name);
        }
    }
}
