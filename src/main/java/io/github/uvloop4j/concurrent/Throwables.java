package io.github.uvloop4j.concurrent;

/** Rethrowing what was caught elsewhere. */
public final class Throwables {
    private Throwables() {}

    /** Throws the error itself, whatever it is; the return type only serves {@code throw}. Any thread. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <E extends Throwable> E sneak(Throwable error) throws E {
        throw (E) error;
    }
}
