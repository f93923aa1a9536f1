package io.github.uvloop4j.concurrent;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;

/** What a cancelled task throws: our own exception, or that of the JDK call in which the cancel interrupted it. */
final class Interrupts {
    private Interrupts() {}

    /** Whether an error is how a cancel ends something. */
    static boolean isCancel(Throwable error) {
        return error instanceof CancellationException || isInterrupt(error);
    }

    /** Whether an error is how a call of the JDK answers to an interrupt. */
    static boolean isInterrupt(Throwable error) {
        return error instanceof InterruptedException
                || error instanceof ClosedByInterruptException
                || (error instanceof InterruptedIOException && !(error instanceof SocketTimeoutException))
                // The JDK's sockets have no type for it.
                || (error instanceof SocketException && "Closed by interrupt".equals(error.getMessage()));
    }
}
