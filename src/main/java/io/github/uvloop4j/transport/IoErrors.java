package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** From libuv's codes to the exceptions that Java code catches. The one place. */
final class IoErrors {
    private IoErrors() {}

    /** The exception for a negative status, with the UvException as its cause. */
    static IOException of(int status, String operation) {
        return of(UvException.stackless(status, operation));
    }

    /** As {@link #of(int, String)}; that nobody listens at a port is no failed connection. */
    static IOException ofDatagram(int status, String operation) {
        if (status != UvErrno.ECONNREFUSED.code()) {
            return of(status, operation);
        }
        var cause = UvException.stackless(status, operation);
        var error = new PortUnreachableException(cause.getMessage());
        error.initCause(cause);
        return error;
    }

    /** The exception of java.nio.file that fits an error of reading a file. */
    static IOException ofFile(int status, Path path) {
        var cause = UvException.stackless(status, "read " + path);
        var name = path.toString();
        var error = switch (cause.errno()) {
            case ENOENT -> new NoSuchFileException(name);
            case EACCES, EPERM -> new AccessDeniedException(name);
            default -> new FileSystemException(name, null, cause.getMessage());
        };
        error.initCause(cause);
        return error;
    }

    static IOException of(UvException cause) {
        return of(cause, cause.getMessage());
    }

    /** As {@link #of(UvException)}, with a message that says more. */
    static IOException of(UvException cause, @Nullable String message) {
        var error = switch (cause.errno()) {
            case ECONNREFUSED, ETIMEDOUT -> new ConnectException(message);
            case EADDRINUSE, EADDRNOTAVAIL -> new BindException(message);
            case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN -> new NoRouteToHostException(message);
            case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ESHUTDOWN, EISCONN -> new SocketException(message);
            case ENOENT -> new FileNotFoundException(message);
            case EBADF -> new ClosedChannelException();
            default -> new IOException(message);
        };
        error.initCause(cause);
        return error;
    }

    /** The status for an errno of the C library. */
    static int status(int errno) {
        return -errno;
    }

    /** Whether a status only says to try again later. */
    static boolean isRetry(int status) {
        return status == UvErrno.EAGAIN.code();
    }
}
