package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Serves HTTP/1.1 on one loop. Loop thread only. */
public final class HttpServer implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final long LEAVE_NANOS = Duration.ofSeconds(2).toNanos();

    private final EventLoop loop;
    private final Handler handler;
    private final HttpLimits limits;
    private final Outbox outbox = new Outbox();
    private final Set<HttpConnection> connections = new HashSet<>();

    /** One timer looks after all connections: one for each request would cost more than the request. */
    private TimerHandle timer;

    private long now;
    private Server server;
    private boolean stopping;

    private HttpServer(EventLoop loop, Handler handler, HttpLimits limits) {
        this.loop = loop;
        this.handler = handler;
        this.limits = limits;
        tick();
    }

    /** A server with the default limits. */
    public static LoopFuture<HttpServer> start(EventLoop loop, String host, int port, Handler handler) {
        var address = InetSocketAddress.createUnresolved(host, port);
        return start(loop, address, handler, HttpLimits.DEFAULT, ServerOptions.defaults());
    }

    /** Starts to listen at an internet or Unix address, as {@code createServer} does. */
    public static LoopFuture<HttpServer> start(
            EventLoop loop, SocketAddress address, Handler handler, HttpLimits limits, ServerOptions options) {
        var http = new HttpServer(loop, handler, limits);
        return loop.net()
                .createServer(() -> new HttpConnection(http), address, options)
                .whenDone((server, failure) -> {
                    http.server = server;
                    if (failure != null) {
                        http.timer.cancel();
                    }
                })
                .map(server -> http);
    }

    /** The sockets it listens on, and its connections. */
    public Server server() {
        return server;
    }

    private void tick() {
        now = loop.time();
        outbox.tick();
        List.copyOf(connections).forEach(connection -> connection.tick(now));
        timer = loop.callLater(TICK, this::tick);
    }

    /** Stops listening, and ends the connections as they finish what they have begun; those left at the limit are cut. */
    public LoopFuture<Integer> shutdown(Duration limit) {
        stopping = true;
        var done = server.shutdown(limit);
        List.copyOf(connections).forEach(HttpConnection::stop);
        done.onDone(timer::cancel);
        return done;
    }

    @Override
    public void close() {
        timer.cancel();
        server.close();
        server.abortClients();
    }

    // For the connections

    void opened(HttpConnection connection) {
        connections.add(connection);
    }

    void lost(HttpConnection connection) {
        connections.remove(connection);
    }

    long deadlineOf(HttpConnection.Phase phase) {
        return now
                + switch (phase) {
                    case NEXT_REQUEST -> stopping ? LEAVE_NANOS : limits.idle().toNanos();
                    case REST_OF_REQUEST, CLIENT_TO_READ -> limits.request().toNanos();
                    case CLIENT_TO_LEAVE -> LEAVE_NANOS;
                    case ANSWER -> Long.MAX_VALUE >> 1;
                };
    }

    Handler handler() {
        return handler;
    }

    HttpLimits limits() {
        return limits;
    }

    Outbox outbox() {
        return outbox;
    }

    boolean isStopping() {
        return stopping;
    }
}
