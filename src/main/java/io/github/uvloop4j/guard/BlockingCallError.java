package io.github.uvloop4j.guard;

/** A call that would have blocked a loop thread. It was not made. */
public final class BlockingCallError extends Error {
    private static final long serialVersionUID = 1;

    private final String call;

    BlockingCallError(String call, String message) {
        super(message);
        this.call = call;
    }

    /** The method of the JDK, such as {@code java.lang.Thread.sleep}. Any thread. */
    public String call() {
        return call;
    }
}
