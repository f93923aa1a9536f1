package io.github.uvloop4j.observe;

import java.time.Duration;

/**
 * Something that keeps a loop from going on.
 *
 * @param what the call or task, by its own words; of a callback only that it is one
 * @param lasted how long it had run, at least, when it was looked at
 * @param where its stack at that moment; the cause is the place of creation, in debug mode
 */
public record StallInfo(String what, Duration lasted, Throwable where) {}
