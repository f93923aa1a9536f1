package io.github.uvloop4j.net;

import java.net.InetSocketAddress;

/**
 * A connection from {@link Sockets#sockAccept}.
 *
 * @param socket the connection's socket
 * @param peer the peer's address
 */
public record Accepted(RawSocket socket, InetSocketAddress peer) {}
