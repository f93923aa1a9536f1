/**
 * {@code launch}: what the parent needs to start an application on pinned loops in a JVM of its own, and what runs there.
 */
@NullMarked
package io.github.uvloop4j.cli.launch;

import org.jspecify.annotations.NullMarked;
