package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.concurrent.Created;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one place that errors without a receiver go through. */
final class ErrorReporter {
    private volatile @Nullable Consumer<ExceptionContext> handler;

    void handler(@Nullable Consumer<ExceptionContext> value) {
        handler = value;
    }

    @Nullable
    Consumer<ExceptionContext> handler() {
        return handler;
    }

    void report(String message, Throwable error, @Nullable Object source) {
        handle(new ExceptionContext(message, error, source, Created.of(source)));
    }

    void handle(ExceptionContext context) {
        var custom = handler;
        if (custom == null) {
            log(context);
            return;
        }
        try {
            custom.accept(context);
        } catch (Throwable broken) {
            LoopLog.error("the exception handler failed", broken);
            log(context);
        }
    }

    /** What an object says of itself, which is user code and may throw. */
    static String describe(Object object) {
        try {
            return String.valueOf(object);
        } catch (Throwable broken) {
            return object.getClass().getName();
        }
    }

    static void log(ExceptionContext context) {
        var source = context.source() == null ? "" : " [" + describe(context.source()) + "]";
        var creation = context.creation();
        if (creation != null && context.exception() != creation) {
            LoopLog.error(context.message() + source, context.exception());
            LoopLog.error("created here", creation);
        } else {
            LoopLog.error(context.message() + source, context.exception());
        }
    }
}
