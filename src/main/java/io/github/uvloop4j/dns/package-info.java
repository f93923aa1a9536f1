/**
 * From names to addresses and back. A {@link io.github.uvloop4j.dns.Resolver} says how a loop finds the addresses of a
 * host; {@link io.github.uvloop4j.dns.Resolvers} has some. {@link io.github.uvloop4j.dns.AddrInfo} and
 * {@link io.github.uvloop4j.dns.NameInfo} are the answers of the C library's own questions.
 */
@NullMarked
package io.github.uvloop4j.dns;

import org.jspecify.annotations.NullMarked;
