package io.github.uvloop4j;

import io.github.uvloop4j.observe.StallInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that keeps a loop from going on: a call, a callback of an event, or a step of a task that takes too long.
 *
 * @param loop whose thread it is
 * @param what the call or task, by its own words; of a callback only that it is one
 * @param lasted how long it has run, at least, when it was looked at; it may still run
 * @param where its stack at that moment, as an exception that was never thrown; its cause is the place of creation, in
 *     debug mode
 */
public record Stall(EventLoop loop, String what, Duration lasted, Throwable where) {
    /** What is logged of it. */
    String message() {
        return "slow: " + what + " has kept " + loop.options().name() + " for " + lasted.toMillis() + " ms";
    }

    /** What is logged once it is over. */
    String overMessage(Duration inAll) {
        return "slow: " + what + " has let go of " + loop.options().name() + " after " + inAll.toMillis() + " ms";
    }

    /** The same for observers. */
    StallInfo info() {
        return new StallInfo(what, lasted, where);
    }

    /** The place of creation, in debug mode; else null. */
    public @Nullable Throwable creation() {
        return where.getCause();
    }
}
