/**
 * A Redis client in a few small files. {@code RespParser} turns bytes into replies and knows nothing of sockets;
 * {@code RedisLink} is one connection; {@code RedisClient} replaces it when it is lost.
 */
package io.github.uvloop4j.examples.redis;
