package io.github.uvloop4j.uv;

/** A call of libuv failed. */
public final class UvException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code. */
    private final UvErrno errno;

    /** A failure with a stack of its own. */
    public UvException(int status, String operation) {
        super(message(status, operation));
        this.errno = UvErrno.of(status);
    }

    private UvException(UvErrno errno, String message) {
        super(message, null, false, false);
        this.errno = errno;
    }

    /** A failure without a stack, to be the cause of the exception that users see. */
    public static UvException stackless(int status, String operation) {
        return new UvException(UvErrno.of(status), message(status, operation));
    }

    private static String message(int status, String operation) {
        var errno = UvErrno.of(status);
        return operation + ": " + (errno == UvErrno.UNKNOWN ? "error " + status : errno.name()) + " ("
                + errno.description() + ")";
    }

    /** The code, for switch. */
    public UvErrno errno() {
        return errno;
    }

    /** Returns a status that is not negative; throws otherwise. */
    static int check(int status, String operation) {
        if (status < 0) {
            throw new UvException(status, operation);
        }
        return status;
    }
}
