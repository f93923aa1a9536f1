/**
 * An HTTP/1.1 server in a few small files. {@code HttpParser} turns bytes into requests and knows nothing of sockets;
 * {@code HttpConnection} is the protocol between it and the loop; {@code Handler} is what an application writes, and
 * {@code WebServer} is one.
 */
package io.github.uvloop4j.examples.http;
