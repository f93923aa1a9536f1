package io.github.uvloop4j.transport;

import java.nio.ByteBuffer;

/** The outer form of records: five bytes that say type, version and length. */
final class TlsRecords {
    static final int HEADER = 5;
    static final int HANDSHAKE = 22;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;

    private TlsRecords() {}

    /** The type of the record that begins at an offset. */
    static int type(ByteBuffer from, int at) {
        return from.get(at) & 0xff;
    }

    /**
     * How many bytes the first record takes, as far as can be told from so many; what is no record ends with its header,
     * so that the engine says what is wrong with it.
     */
    static int length(ByteBuffer from, int at, int count) {
        if (count < HEADER) {
            return HEADER;
        }
        int type = type(from, at);
        if (type < FIRST_TYPE || type > LAST_TYPE) {
            return HEADER;
        }
        int length = HEADER + (from.getShort(at + 3) & 0xffff);
        return length > TlsBuffers.RECORD ? HEADER : length;
    }

    /** Whether a complete record begins at the buffer's position. */
    static boolean isComplete(ByteBuffer from) {
        int count = from.remaining();
        return length(from, from.position(), count) <= count;
    }
}
