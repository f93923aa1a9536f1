/**
 * What users of the network implement and hold: protocols and transports for callbacks, connections and listeners for
 * tasks, raw sockets for futures. Interfaces and records only; how bytes move is the package {@code transport}.
 */
@NullMarked
package io.github.uvloop4j.net;

import org.jspecify.annotations.NullMarked;
