package io.github.uvloop4j.net;

import java.io.EOFException;

/** The stream ended before what was asked for was there. */
public final class IncompleteReadException extends EOFException {
    private static final long serialVersionUID = 1L;

    /** What came before the end. */
    private final byte[] partial;

    /** An end after some bytes. */
    public IncompleteReadException(byte[] partial, String wanted) {
        super("the stream ended after " + partial.length + " bytes, before " + wanted);
        this.partial = partial.clone();
    }

    /** What came before the end. */
    public byte[] partial() {
        return partial.clone();
    }
}
