package io.github.uvloop4j.net;

import java.net.SocketAddress;

/**
 * A connection from {@link Sockets#sockAccept}.
 *
 * @param socket the connection's socket
 * @param peer the peer's address
 */
public record Accepted(RawSocket socket, SocketAddress peer) {}
