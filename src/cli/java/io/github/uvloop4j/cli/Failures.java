package io.github.uvloop4j.cli;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What goes wrong, in one line. */
final class Failures {
    private static final String TRACE = "uvloop4j.cli.trace";

    private Failures() {}

    /** The message, after the type where the message may not explain itself. The property {@value #TRACE} adds the stack. */
    static String describe(Throwable failure) {
        if (Boolean.getBoolean(TRACE)) {
            failure.printStackTrace();
        }
        var cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        var message = cause.getMessage();
        if (message == null) {
            return cause.getClass().getSimpleName();
        }
        var telling = cause instanceof CliFailure || cause instanceof IOException || cause instanceof LinkageError;
        return oneLine(telling ? message : cause.getClass().getSimpleName() + ": " + message);
    }

    static String oneLine(@Nullable String text) {
        return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
