package io.github.uvloop4j.net;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Of a datagram that was received into a buffer.
 *
 * @param length how many bytes were put there
 * @param sender null when it has no name
 * @param truncated whether there was no room for the rest of it, which is lost
 */
public record Received(int length, @Nullable SocketAddress sender, boolean truncated) {}
