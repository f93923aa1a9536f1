package io.github.uvloop4j.sync;

import java.io.Serial;

/** A queue was shut down: it takes no more items and, when it is empty, has none to give. */
public final class QueueShutdownException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** One with a message. */
    public QueueShutdownException(String message) {
        super(message);
    }
}
