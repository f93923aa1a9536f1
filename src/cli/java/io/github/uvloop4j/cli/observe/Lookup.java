package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * A look-up of a host name.
 *
 * @param at when it began
 * @param host what was looked up
 * @param nanos how long it took
 * @param failure why it failed; empty when it did not
 */
public record Lookup(Instant at, String host, long nanos, String failure) {}
