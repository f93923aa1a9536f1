package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.ucred;
import io.github.uvloop4j.net.PeerCredentials;
import io.github.uvloop4j.net.SocketType;
import io.github.uvloop4j.uv.UvErrno;
import java.io.IOException;
import java.lang.foreign.Arena;

/** What only Unix sockets have. Any thread. */
final class UnixFacts {
    private static final int NOBODY = -1;

    private UnixFacts() {}

    static int kind(SocketType type) {
        return type == SocketType.STREAM ? libc.SOCK_STREAM() : libc.SOCK_DGRAM();
    }

    /** With the flags of sockets of ours. */
    static int type(SocketType type) {
        return kind(type) | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
    }

    static boolean isUnix(int fd) {
        return SocketOptions.get(fd, libc.SOL_SOCKET(), libc.SO_DOMAIN()) == libc.AF_UNIX();
    }

    static void check(FdSocket socket) {
        if (!isUnix(socket.fd())) {
            throw new IllegalArgumentException("not a Unix socket: " + socket);
        }
    }

    static PeerCredentials peer(int fd) throws IOException {
        if (!isUnix(fd)) {
            throw new IllegalStateException("not a Unix socket: " + fd);
        }
        try (var arena = Arena.ofConfined()) {
            var found = ucred.allocate(arena);
            int status = SocketCalls.getOption(fd, libc.SOL_SOCKET(), libc.SO_PEERCRED(), found);
            if (status >= 0 && ucred.uid(found) == NOBODY) {
                status = UvErrno.ENOTCONN.code();
            }
            if (status < 0) {
                throw IoErrors.of(status, "peer credentials");
            }
            return new PeerCredentials(
                    ucred.pid(found),
                    Integer.toUnsignedLong(ucred.uid(found)),
                    Integer.toUnsignedLong(ucred.gid(found)));
        }
    }
}
