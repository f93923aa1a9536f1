/**
 * The front door: {@link io.github.uvloop4j.EventLoop}, its options, and what reports its errors.
 *
 * <pre>
 *   EventLoop            life cycle, scheduling, tasks
 *     net()              servers, connections
 *     sockets()          raw non-blocking sockets, readers, writers
 *     uv()               libuv's own handles
 * </pre>
 */
@NullMarked
package io.github.uvloop4j;

import org.jspecify.annotations.NullMarked;
