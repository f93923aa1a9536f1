package io.github.uvloop4j.net;

/**
 * A socket of datagrams that was made for a protocol.
 *
 * @param <P> the protocol's type
 * @param transport its transport
 * @param protocol the protocol
 */
public record Endpoint<P extends DatagramProtocol>(DatagramTransport transport, P protocol) {}
