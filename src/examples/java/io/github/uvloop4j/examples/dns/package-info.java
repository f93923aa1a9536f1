/**
 * A DNS client over UDP in a few small files. {@code DnsMessage} knows the bytes and nothing of sockets; {@code
 * StubResolver} asks servers, and can be the resolver of a loop.
 */
package io.github.uvloop4j.examples.dns;
