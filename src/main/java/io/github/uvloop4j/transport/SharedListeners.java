package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Sockets that share an address, one for each loop of a group, until each loop has taken its own. They listen in the
 * order of their index, which is how a steering program names them. Any thread, one at a time.
 */
public final class SharedListeners implements AutoCloseable {
    private static final int TAKEN = -1;

    private final int[] sockets;
    private InetSocketAddress address;

    private SharedListeners(int count, InetSocketAddress address) {
        this.sockets = new int[count];
        this.address = address;
        Arrays.fill(sockets, TAKEN);
    }

    /**
     * Binds so many sockets to an address; with port 0 all get the one that the kernel chose for the first.
     *
     * @param count 1 or more
     * @throws java.net.BindException when the address is in use, or not ours
     */
    public static SharedListeners bind(InetSocketAddress address, int count) throws IOException {
        if (count < 1) {
            throw new IllegalArgumentException("count must be 1 or more: " + count);
        }
        var listeners = new SharedListeners(count, address);
        try {
            for (int i = 0; i < count; i++) {
                listeners.bindOne(i);
            }
            return listeners;
        } catch (IOException | RuntimeException error) {
            listeners.close();
            throw error;
        }
    }

    private void bindOne(int index) throws IOException {
        boolean v6 = address.getAddress() instanceof Inet6Address;
        int type = libc.SOCK_STREAM() | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int fd = SocketCalls.socket(v6 ? libc.AF_INET6() : libc.AF_INET(), type, libc.IPPROTO_TCP());
        check(fd, "socket");
        sockets[index] = fd;
        try (var arena = Arena.ofConfined()) {
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_REUSEADDR(), 1);
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_REUSEPORT(), 1);
            if (v6) {
                SocketOptions.set(fd, libc.IPPROTO_IPV6(), libc.IPV6_V6ONLY(), 1);
            }
            check(
                    SocketCalls.bind(fd, SocketAddresses.encode(address, arena)),
                    "bind " + SocketAddresses.text(address));
            if (index == 0) {
                var bound = arena.allocate(sockaddr_storage.layout());
                var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) bound.byteSize());
                check(SocketCalls.socketName(fd, bound, length), "socket name");
                address = SocketAddresses.decode(bound);
            }
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
    }

    private static void check(int status, String operation) throws IOException {
        if (status < 0) {
            throw IoErrors.of(status, operation);
        }
    }

    /** The address that all are bound to, with its port. */
    public InetSocketAddress address() {
        return address;
    }

    /** How many there are. */
    public int size() {
        return sockets.length;
    }

    /** The descriptor of a socket, which stays its owner's. Throws IllegalStateException when it was taken or closed. */
    public int fd(int index) {
        int fd = sockets[index];
        if (fd == TAKEN) {
            throw new IllegalStateException("socket " + index + " was taken or closed");
        }
        return fd;
    }

    /** Makes all listen, in the order of their index; a backlog of 1 or more. Once, before any is taken. */
    public void listen(int backlog) throws IOException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be 1 or more: " + backlog);
        }
        for (int i = 0; i < sockets.length; i++) {
            check(SocketCalls.listen(fd(i), backlog), "listen on " + SocketAddresses.text(address));
        }
    }

    /** Gives a socket away: the caller owns the descriptor. Throws IllegalStateException when it was before. */
    public int take(int index) {
        int fd = fd(index);
        sockets[index] = TAKEN;
        return fd;
    }

    /** Closes those that nobody has taken. A second call does nothing. */
    @Override
    public void close() {
        for (int i = 0; i < sockets.length; i++) {
            if (sockets[i] != TAKEN) {
                SocketCalls.close(take(i));
            }
        }
    }
}
