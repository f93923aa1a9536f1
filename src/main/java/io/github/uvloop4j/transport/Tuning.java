package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.linger;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.lang.foreign.Arena;

/** What is set on the sockets of connections. Any thread. */
record Tuning(boolean noDelay, int keepAliveSeconds, int sendBuffer, int receiveBuffer, boolean resetOnClose) {
    static Tuning of(ServerOptions options) {
        return new Tuning(
                options.noDelay(),
                options.keepAliveSeconds(),
                options.sendBuffer(),
                options.receiveBuffer(),
                options.resetOnClose());
    }

    static Tuning of(ConnectOptions options) {
        return new Tuning(
                options.noDelay(),
                options.keepAliveSeconds(),
                options.sendBuffer(),
                options.receiveBuffer(),
                options.resetOnClose());
    }

    /** Whether the socket must be there before it is connected: the kernel chooses TCP's window by the buffer then. */
    boolean needsSocket() {
        return sendBuffer > 0 || receiveBuffer > 0 || resetOnClose;
    }

    /** Sets what must be set before it listens or connects; TCP connections have it from their listening socket. */
    void early(int fd) {
        if (sendBuffer > 0) {
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_SNDBUF(), sendBuffer);
        }
        if (receiveBuffer > 0) {
            SocketOptions.set(fd, libc.SOL_SOCKET(), libc.SO_RCVBUF(), receiveBuffer);
        }
        if (resetOnClose) {
            resetOnClose(fd);
        }
    }

    /** With another time than none the kernel would stop the loop in close. */
    static void resetOnClose(int fd) {
        try (var arena = Arena.ofConfined()) {
            var value = linger.allocate(arena);
            linger.l_onoff(value, 1);
            linger.l_linger(value, 0);
            int status = SocketCalls.setOption(fd, libc.SOL_SOCKET(), libc.SO_LINGER(), value);
            if (status < 0) {
                throw new UvException(status, "set SO_LINGER");
            }
        }
    }

    /** Sets the rest on a connection. */
    void late(UvStream stream) {
        if (stream instanceof UvTcp tcp) {
            tcp.noDelay(noDelay);
            if (keepAliveSeconds > 0) {
                tcp.keepAlive(keepAliveSeconds);
            }
        } else if (needsSocket()) {
            early(stream.fileno());
        }
    }
}
