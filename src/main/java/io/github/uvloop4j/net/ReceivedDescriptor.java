package io.github.uvloop4j.net;

import org.jspecify.annotations.Nullable;

/**
 * What {@link Sockets#sockRecvDescriptor} has received.
 *
 * @param length how many bytes were put into the buffer; -1 at the end of the stream
 * @param truncated whether there was no room for the rest of a datagram, which is lost
 * @param descriptor what came with them; null when none did
 */
public record ReceivedDescriptor(
        int length, boolean truncated, @Nullable PassedDescriptor descriptor) {}
