package io.github.uvloop4j.net;

import java.io.IOException;

/** No separator within the read limit. The bytes stay to be read. */
public final class LimitOverrunException extends IOException {
    private static final long serialVersionUID = 1L;

    /** How many bytes were searched. */
    private final int consumed;

    /** An overrun after so many bytes. */
    public LimitOverrunException(int consumed, int limit) {
        super("no separator in " + consumed + " bytes; the read limit is " + limit);
        this.consumed = consumed;
    }

    /** How many bytes were searched: those may be read away before another try. */
    public int consumed() {
        return consumed;
    }
}
