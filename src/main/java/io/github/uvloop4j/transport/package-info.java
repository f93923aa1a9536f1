/**
 * How bytes move: what stands behind the interfaces of {@code net}.
 *
 * <pre>
 *   in:   epoll, libuv, alloc upcall (lends memory), read(2), read upcall -> protocol, or the task that waits
 *   out:  write at once from the caller's memory; the rest is copied to pooled chunks -> one gathered uv_write
 * </pre>
 *
 * <p>{@code LoopIo} is what all connections of a loop share. {@code StreamBase} is a connection's life and its writing
 * side; {@code ProtocolTransport} and {@code TaskConnection} are its two faces.
 *
 * <p>{@code StreamServer} is the same for both; what it makes of a connection is a {@code StreamClients}. {@code Steering}
 * says which of several that share a port gets a connection, {@code ServerLinks} who serves it.
 *
 * <p>{@code TlsTransport} is TLS over any other transport, which carries its records as a {@code TlsLower}; {@code TlsEngine}
 * within it does no I/O. {@code StreamConnection} is the face for tasks of any transport, and shares with {@code
 * TaskConnection} how tasks wait ({@code TaskWaits}) and read ({@code TaskReader}).
 */
@NullMarked
package io.github.uvloop4j.transport;

import org.jspecify.annotations.NullMarked;
