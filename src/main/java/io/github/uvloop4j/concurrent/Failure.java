package io.github.uvloop4j.concurrent;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The outcome of a future that failed or was cancelled. */
final class Failure {
    final Throwable error;
    volatile boolean observed;

    /** Of which task it is, if somebody must look at it. */
    Unobserved.@Nullable Origin owner;

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
