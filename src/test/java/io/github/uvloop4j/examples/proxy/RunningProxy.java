package io.github.uvloop4j.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Until;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy on a loop that has a thread of its own. Closing it fails for errors that nobody expected. */
final class RunningProxy implements AutoCloseable {
    private final EventLoop loop = EventLoop.create();
    private final List<ExceptionContext> errors = new CopyOnWriteArrayList<>();
    private final Server server;
    private final int port;

    RunningProxy(int serverPort) throws Exception {
        this(serverPort, ConnectOptions.defaults(), ServerOptions.defaults());
    }

    RunningProxy(int serverPort, ConnectOptions connect, ServerOptions serve) throws Exception {
        loop.exceptionHandler(errors::add);
        loop.start();
        var proxy = new ReverseProxy(loop, "127.0.0.1", serverPort, connect);
        server = loop.call(() -> proxy.start("127.0.0.1", 0, serve).await());
        port = loop.call(() -> server.port());
    }

    EventLoop loop() {
        return loop;
    }

    int port() {
        return port;
    }

    void awaitNoClients() {
        Until.holds("all connections are gone", () -> server.clientCount() == 0);
    }

    @Override
    public void close() {
        loop.post(server::close);
        loop.close();
        assertThat(errors).isEmpty();
    }
}
