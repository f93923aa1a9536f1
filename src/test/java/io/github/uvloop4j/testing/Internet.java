package io.github.uvloop4j.testing;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The parts of socket addresses that are known to be internet ones. */
public final class Internet {
    private Internet() {}

    /** The port. */
    public static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    /** The host's address. */
    public static InetAddress ip(SocketAddress address) {
        return ((InetSocketAddress) address).getAddress();
    }
}
