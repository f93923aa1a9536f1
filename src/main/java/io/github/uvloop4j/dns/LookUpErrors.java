package io.github.uvloop4j.dns;

import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.CancellationException;

/** From the C library's codes for look-ups to the exceptions that Java code catches. */
final class LookUpErrors {
    private LookUpErrors() {}

    static Exception of(UvException cause) {
        var message = cause.getMessage();
        if (cause.errno() == UvErrno.ECANCELED) {
            return new CancellationException(message);
        }
        var error = cause.errno().name().startsWith("EAI_") && cause.errno() != UvErrno.EAI_MEMORY
                ? new UnknownHostException(message)
                : new IOException(message);
        error.initCause(cause);
        return error;
    }

    static Exception of(int status, String operation) {
        return of(UvException.stackless(status, operation));
    }

    /** Whether a look-up may well succeed next time. */
    static boolean isTemporary(Throwable error) {
        return error.getCause() instanceof UvException cause
                && (cause.errno() == UvErrno.EAI_AGAIN || cause.errno() == UvErrno.EAI_FAIL);
    }
}
