package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * How busy the machine's CPUs were, as shares of all of them.
 *
 * @param at when
 * @param jvm by this JVM
 * @param machine by everything
 */
public record CpuLoad(Instant at, double jvm, double machine) {}
