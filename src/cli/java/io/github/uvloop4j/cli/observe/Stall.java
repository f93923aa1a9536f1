package io.github.uvloop4j.cli.observe;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that kept a loop from going on.
 *
 * @param begin when it began
 * @param what the call or task, by its own words
 * @param nanos how long it lasted, at least
 * @param over whether its end was seen, so that the time is all of it
 * @param stack what ran when it was looked at, innermost first
 * @param created where the call or task was created; known in debug mode only
 */
public record Stall(
        Instant begin,
        String what,
        long nanos,
        boolean over,
        List<String> stack,
        @Nullable String created) {
    /** Copies the stack. */
    public Stall {
        stack = List.copyOf(stack);
    }

    /** The same with its end: what lasted so long was seen to be over. */
    Stall ended(long lasted) {
        return new Stall(begin, what, Math.max(nanos, lasted), true, stack, created);
    }

    /** The innermost frame of the program itself; the innermost of all if it has none. */
    public String frame() {
        return Frames.telling(stack);
    }
}
