package io.github.uvloop4j.concurrent;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The body of a task without a result, which may throw. */
@FunctionalInterface
public interface TaskBody {
    /** Does the work. */
    void run() throws Exception;

    /** The body as one with a null result. */
    default Callable<@Nullable Void> asCallable() {
        return () -> {
            run();
            return null;
        };
    }
}
