package io.github.uvloop4j.net;

/**
 * A connection that was made for a protocol.
 *
 * @param <P> the protocol's type
 * @param transport its transport
 * @param protocol the protocol
 */
public record Connected<P extends BaseProtocol>(Transport transport, P protocol) {}
