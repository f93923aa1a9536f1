package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The server of a load, and how it is spoken to.
 *
 * @param address an internet or a Unix one
 * @param datagrams whether each request is a datagram; otherwise bytes of a stream
 * @param tls what secures the streams; null for nothing
 */
public record Destination(
        SocketAddress address, boolean datagrams, @Nullable SSLContext tls) {

    /** The longest request that fits into a datagram over IPv4. */
    public static final int MAX_DATAGRAM = 65_507;

    /** A server that is spoken to over a plain stream. */
    public static Destination plain(SocketAddress address) {
        return new Destination(address, false, null);
    }

    /** Connects, and shakes hands where that belongs to it; the link blocks. */
    Link connect(Duration timeout) throws IOException {
        try {
            if (datagrams) {
                return DatagramLink.connect(address);
            }
            var stream = StreamLink.connect(address, timeout);
            return tls == null ? stream : TlsLink.handshake(stream.channel(), tls, timeout);
        } catch (IOException e) {
            throw new IOException("connect to " + text() + ": " + e.getMessage(), e);
        }
    }

    private String text() {
        return address instanceof InetSocketAddress internet
                ? internet.getHostString() + ":" + internet.getPort()
                : address.toString();
    }
}
