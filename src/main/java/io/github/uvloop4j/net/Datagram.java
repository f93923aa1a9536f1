package io.github.uvloop4j.net;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A datagram that was received.
 *
 * @param data all of it, or its beginning when it is truncated
 * @param sender null when it has no name
 * @param truncated whether the rest of it is lost
 */
public record Datagram(ByteBuffer data, @Nullable SocketAddress sender, boolean truncated) {}
