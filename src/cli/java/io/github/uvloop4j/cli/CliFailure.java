package io.github.uvloop4j.cli;

/** A failure to be told in one line; the program ends with status 1. */
public final class CliFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A failure with its only line. */
    public CliFailure(String line) {
        super(line);
    }
}
