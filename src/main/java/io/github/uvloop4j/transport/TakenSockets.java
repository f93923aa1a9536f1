package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPipe;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;

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
    static UvStream open(LoopIo io, int fd, boolean unix) throws IOException {
        UvStream stream;
        try {
            stream = unix ? new UvPipe(io.uv(), false) : new UvTcp(io.uv());
        } catch (RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        try {
            if (stream instanceof UvTcp tcp) {
                tcp.open(fd);
            } else {
                ((UvPipe) stream).open(fd);
            }
            return stream;
        } catch (UvException e) {
            stream.close();
            SocketCalls.close(fd);
            throw IoErrors.of(e);
        }
    }

    /** As {@link #open}, for a socket that must be connected. */
    static UvStream connected(LoopIo io, RawSocket socket, Tuning tuning) throws IOException {
        checkStream(socket);
        return connected(io, socket.detach(), tuning);
    }

    private static UvStream connected(LoopIo io, int fd, Tuning tuning) throws IOException {
        boolean unix;
        try {
            // libuv takes any socket for a connected one.
            SocketNames.peer(fd);
            unix = SocketNames.isUnix(SocketNames.local(fd));
            tuning.early(fd);
        } catch (UvException e) {
            SocketCalls.close(fd);
            throw IoErrors.of(e.errno().code(), "take over descriptor " + fd);
        } catch (RuntimeException neitherInternetNorUnix) {
            SocketCalls.close(fd);
            throw neitherInternetNorUnix;
        }
        var stream = open(io, fd, unix);
        try {
            tuning.late(stream);
            return stream;
        } catch (UvException e) {
            stream.close();
            throw IoErrors.of(e);
        }
    }
}
