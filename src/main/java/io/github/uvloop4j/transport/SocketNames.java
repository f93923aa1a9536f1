package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** The addresses of sockets that libuv does not know. Any thread. */
final class SocketNames {
    private SocketNames() {}

    /** The own address of an internet socket. */
    static InetSocketAddress local(int fd) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            int status = SocketCalls.socketName(fd, address, length);
            if (status < 0) {
                throw new UvException(status, "socket name");
            }
            return SocketAddresses.decode(address);
        }
    }
}
