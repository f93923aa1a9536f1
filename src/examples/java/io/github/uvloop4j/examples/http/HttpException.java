package io.github.uvloop4j.examples.http;

/** A request that is answered with an error. It has no stack: floods of bad requests must stay cheap. */
public final class HttpException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    /** An answer with a status of 400 to 599, and the reason for people. */
    public HttpException(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    /** The status code. */
    public int status() {
        return status;
    }
}
