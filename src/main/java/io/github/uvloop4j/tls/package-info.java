/**
 * How connections are secured with TLS: {@link io.github.uvloop4j.tls.ClientTls} for the side that connects, {@link
 * io.github.uvloop4j.tls.ServerTls} for the side that accepts. Both are immutable and made of the JDK's {@code SSLContext},
 * so that any provider of one serves; PEM files make one too.
 *
 * <p>What is wrong with a file, a name or a password is said when they are made, not at the first connection.
 */
@org.jspecify.annotations.NullMarked
package io.github.uvloop4j.tls;
