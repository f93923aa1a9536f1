package io.github.uvloop4j.concurrent;

import java.util.concurrent.CancellationException;

/** The outcome of a future that failed or was cancelled. */
final class Failure {
    final Throwable error;
    volatile boolean observed;

    Failure(Throwable error) {
        this.error = error;
    }

    boolean isCancellation() {
        return error instanceof CancellationException;
    }

    Throwable observe() {
        observed = true;
        return error;
    }
}
