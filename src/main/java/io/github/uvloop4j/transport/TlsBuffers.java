package io.github.uvloop4j.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that the TLS connections of a loop work with, one after the other. Records are kept in arrays: the JDK's
 * AES-GCM takes half the time with them. What is decrypted goes to direct memory, from where it can be sent on.
 */
final class TlsBuffers {
    /** The most that one record takes: 16 KiB, and what the ciphers of TLS 1.2 may add. */
    static final int RECORD = 16 * 1024 + 2048 + 5;

    private static final int RECORDS_OUT = 8;
    private static final int KEEP = 4;
    private static final int KEEP_PARTS = 64;

    /** A few buffers of a kind that nobody uses now. */
    private static final class Pool {
        private final @Nullable ByteBuffer[] free;
        private final int size;
        private final boolean direct;
        private int count;

        Pool(int keep, int size, boolean direct) {
            this.free = new ByteBuffer[keep];
            this.size = size;
            this.direct = direct;
        }

        ByteBuffer take() {
            var known = count == 0 ? null : free[--count];
            if (known != null) {
                return known.clear().order(ByteOrder.BIG_ENDIAN);
            }
            return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        }

        /** Emptied: who kept it reads nothing of others. */
        void give(ByteBuffer buffer) {
            buffer.limit(0);
            if (count < free.length && buffer.capacity() == size) {
                free[count++] = buffer;
            }
        }
    }

    private final Pool incoming;
    private final Pool plain;
    private final Pool outgoing = new Pool(KEEP, RECORDS_OUT * RECORD, false);
    private final Pool parts = new Pool(KEEP_PARTS, RECORD, false);

    /** Buffers of a loop whose reads bring so many bytes at most. */
    TlsBuffers(int receiveSize) {
        this.incoming = new Pool(KEEP, receiveSize + RECORD, false);
        this.plain = new Pool(KEEP, receiveSize + 2 * RECORD, true);
    }

    /** For the records of one read, and what was kept before. */
    ByteBuffer takeIncoming() {
        return incoming.take();
    }

    void giveIncoming(ByteBuffer buffer) {
        incoming.give(buffer);
    }

    /** For what is decrypted. */
    ByteBuffer takePlain() {
        return plain.take();
    }

    void givePlain(ByteBuffer buffer) {
        plain.give(buffer);
    }

    /** For records to be sent. */
    ByteBuffer takeOutgoing() {
        return outgoing.take();
    }

    void giveOutgoing(ByteBuffer buffer) {
        outgoing.give(buffer);
    }

    /** For a part of a record that has to wait for the rest. */
    ByteBuffer takePart() {
        return parts.take();
    }

    void givePart(ByteBuffer buffer) {
        parts.give(buffer);
    }
}
