/** The echo client: strict ping-pong workers, and one thread that loads many connections. Plain JDK code. */
@NullMarked
package io.github.uvloop4j.cli.client;

import org.jspecify.annotations.NullMarked;
