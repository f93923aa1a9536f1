package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.uv.UvException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** Options of a socket that libuv has no function for. */
final class SocketOptions {
    private SocketOptions() {}

    static void set(int fd, int level, int option, int value) {
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.setOption(fd, level, option, arena.allocateFrom(ValueLayout.JAVA_INT, value));
            if (status < 0) {
                throw new UvException(status, "set socket option " + option);
            }
        }
    }

    static int get(int fd, int level, int option) {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(ValueLayout.JAVA_INT);
            int status = SocketCalls.getOption(fd, level, option, value);
            if (status < 0) {
                throw new UvException(status, "get socket option " + option);
            }
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The error that a socket keeps, as a negative status; 0 for none. */
    static int pendingError(int fd) {
        return -get(fd, libc.SOL_SOCKET(), libc.SO_ERROR());
    }
}
