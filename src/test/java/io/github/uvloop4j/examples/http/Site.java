package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a loop that has a thread of its own. Closing it fails for errors that nobody expected. */
final class Site implements AutoCloseable {
    private final EventLoop loop = EventLoop.create();
    private final List<ExceptionContext> errors = new CopyOnWriteArrayList<>();
    private final HttpServer http;
    private final int port;

    Site(Handler handler, SocketAddress address, HttpLimits limits, ServerOptions options) throws Exception {
        loop.exceptionHandler(errors::add);
        loop.start();
        http = loop.call(
                () -> HttpServer.start(loop, address, handler, limits, options).await());
        port = address instanceof InetSocketAddress
                ? loop.call(() -> http.server().port())
                : 0;
    }

    Site(Handler handler, HttpLimits limits) throws Exception {
        this(handler, new InetSocketAddress("127.0.0.1", 0), limits, ServerOptions.defaults());
    }

    Site(Handler handler) throws Exception {
        this(handler, HttpLimits.DEFAULT);
    }

    EventLoop loop() {
        return loop;
    }

    HttpServer http() {
        return http;
    }

    int port() {
        return port;
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    RawClient client() throws IOException {
        return new RawClient(port);
    }

    /** Returns and forgets what was reported, once something was. */
    List<ExceptionContext> takeErrors() {
        Until.holds("an error is reported", () -> !errors.isEmpty());
        var taken = List.copyOf(errors);
        errors.clear();
        return taken;
    }

    @Override
    public void close() {
        loop.post(http::close);
        loop.close();
        assertThat(errors).isEmpty();
    }
}
