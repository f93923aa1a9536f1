package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** Handles of libuv for sockets that were made elsewhere: the descriptor has one owner on every path. */
final class TakenSockets {
    private TakenSockets() {}

    /** Throws unless it is a socket of a stream: libuv takes any. */
    static void checkStream(RawSocket socket) {
        socket.fd();
        if (!((FdSocket) socket).isStream()) {
            throw new IllegalArgumentException("not a stream socket: " + socket);
        }
    }

    /** A handle for a descriptor, which is closed with it, or now when there is to be none. */
    static UvTcp open(LoopIo io, int fd) throws IOException {
        UvTcp tcp;
        try {
            tcp = new UvTcp(io.uv());
        } catch (RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        try {
            tcp.open(fd);
            return tcp;
        } catch (UvException e) {
            tcp.close();
            SocketCalls.close(fd);
            throw IoErrors.of(e);
        }
    }

    /** As {@link #open}, for a socket that must be connected. */
    static UvTcp connected(LoopIo io, RawSocket socket, boolean noDelay, int keepAliveSeconds) throws IOException {
        checkStream(socket);
        return connected(io, socket.detach(), noDelay, keepAliveSeconds);
    }

    static UvTcp connected(LoopIo io, int fd, boolean noDelay, int keepAliveSeconds) throws IOException {
        var tcp = open(io, fd);
        try {
            checkConnected(fd);
            configure(tcp, noDelay, keepAliveSeconds);
            return tcp;
        } catch (UvException e) {
            tcp.close();
            throw IoErrors.of(e);
        } catch (IOException e) {
            tcp.close();
            throw e;
        }
    }

    /** libuv takes any socket for a connected one. */
    private static void checkConnected(int fd) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(sockaddr_storage.layout());
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
            int status = SocketCalls.peerName(fd, address, length);
            if (status < 0) {
                throw IoErrors.of(status, "take over descriptor " + fd);
            }
        }
    }

    static void configure(UvTcp tcp, boolean noDelay, int keepAliveSeconds) {
        tcp.noDelay(noDelay);
        if (keepAliveSeconds > 0) {
            tcp.keepAlive(keepAliveSeconds);
        }
    }
}
