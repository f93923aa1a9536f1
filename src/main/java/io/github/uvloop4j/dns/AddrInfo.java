package io.github.uvloop4j.dns;

import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import org.jspecify.annotations.Nullable;

/**
 * One way to reach a service of a host. Any thread.
 *
 * @param family {@code StandardProtocolFamily.INET} or {@code INET6}
 * @param type what kind of socket
 * @param protocol the number of the protocol: 6 for TCP, 17 for UDP, 0 for any
 * @param canonicalName the canonical name of the host, in the first answer only and if asked for
 * @param address the address and the port; an IPv4 address that is mapped into IPv6 is an Inet6Address
 */
public record AddrInfo(
        ProtocolFamily family,
        SocketType type,
        int protocol,
        @Nullable String canonicalName,
        InetSocketAddress address) {}
