package io.github.uvloop4j.guard;

/** No guard can be had in this JVM; the message says why, how to change that, and what still works. */
public final class GuardUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    GuardUnavailableException(String message) {
        super(message);
    }
}
