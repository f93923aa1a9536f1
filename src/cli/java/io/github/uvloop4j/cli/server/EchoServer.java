package io.github.uvloop4j.cli.server;

import java.net.SocketAddress;
import java.util.function.Consumer;

/** An echo server: sends back what it gets, on any number of connections or to any number of senders, until its JVM ends. */
@FunctionalInterface
public interface EchoServer {
    /**
     * Serves on the calling thread and does not return.
     *
     * @param address where to listen; port 0 takes a free one
     * @param options that it {@linkplain EchoMode#check can have}
     * @param listening is told the real address as soon as clients can connect
     * @throws Exception if it cannot listen any more
     */
    void serve(SocketAddress address, EchoOptions options, Consumer<SocketAddress> listening) throws Exception;
}
