package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What protocols and tasks can ask and set of a socket of datagrams. Loop thread only. */
public interface DatagramSettings {
    /** The own address; null for a Unix socket without a name. Stays known after close. */
    @Nullable
    SocketAddress localAddress();

    /** The peer's address; null when it is not connected. Stays known after close. */
    @Nullable
    SocketAddress peerAddress();

    /** The descriptor's number, for looking at; null once closed. */
    @Nullable
    Integer fd();

    /** Lets it send to broadcast addresses, or not. */
    void broadcast(boolean enable) throws IOException;

    /** How many routers a datagram may pass, 1 to 255. */
    void ttl(int hops) throws IOException;

    /** How many routers a datagram to a group may pass, 0 to 255; 1 is the kernel's default. */
    void multicastTtl(int hops) throws IOException;

    /** Whether this machine gets what it sends to groups itself; the kernel's default is yes. */
    void multicastLoop(boolean enable) throws IOException;

    /** By which interface it sends to groups: one of its addresses. */
    void multicastInterface(InetAddress own) throws IOException;

    /** Joins a group on the interface that has an address, or for null on the one that the kernel chooses. */
    void join(InetAddress group, @Nullable InetAddress own) throws IOException;

    /** Leaves a group again; parameters as they were. */
    void leave(InetAddress group, @Nullable InetAddress own) throws IOException;

    /** Joins a group for what one sender sends to it. */
    void join(InetAddress group, @Nullable InetAddress own, InetAddress sender) throws IOException;

    /** Leaves a group for a sender; parameters as they were. */
    void leave(InetAddress group, @Nullable InetAddress own, InetAddress sender) throws IOException;

    /** Sets the water marks of what waits to be sent. */
    void writeBufferLimits(WriteLimits limits);

    /** How many bytes wait to be sent. */
    long writeBufferSize();

    /** Whether it is closing or closed. */
    boolean isClosing();

    /** Closes it once what waits has been sent. A second call does nothing. */
    void close();

    /** Closes it at once; what was not sent is dropped. */
    void abort();
}
