package io.github.uvloop4j.cli.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;

/** What requests go out on and replies come in on. It blocks or not, as its channel does. */
interface Link extends Closeable {
    /** The channel to select. */
    SelectableChannel channel();

    /** Takes what there is, as far as the buffer has room; returns the number of bytes, -1 at the end. */
    int read(ByteBuffer target) throws IOException;

    /** Sends as much as it can; returns the number of bytes. What it cannot send it leaves in the buffer. */
    int write(ByteBuffer source) throws IOException;

    /** Sends what it took and could not send; returns whether nothing of that is left. */
    default boolean flush() throws IOException {
        return true;
    }

    /** How many bytes at most a write may have, of which none may be left over from another request. */
    default int largestWrite(int requestSize) {
        return Integer.MAX_VALUE;
    }
}
