package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Timeout;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.LimitOverrunException;
import io.github.uvloop4j.observe.micrometer.LoopMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Lets Prometheus scrape the loop that serves it: GET /metrics over HTTP/1.1, one request a connection. A client may
 * send so much, and take so long, and no more.
 */
public final class MetricsEndpoint {
    private static final int LONGEST_LINE = 4 * 1024;
    private static final int MOST_HEADERS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final EventLoop loop;
    private final PrometheusMeterRegistry registry;

    private MetricsEndpoint(EventLoop loop, PrometheusMeterRegistry registry) {
        this.loop = loop;
        this.registry = registry;
    }

    /** Serves a port of the loopback interface, 9464 or the one that is given. */
    public static void main(String[] args) throws Exception {
        int port = args.length == 0 ? 9464 : Integer.parseInt(args[0]);
        EventLoop.run(loop -> {
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            new LoopMetrics(loop).bindTo(registry);
            var endpoint = new MetricsEndpoint(loop, registry);
            var server =
                    loop.net().startServer(endpoint::serve, "127.0.0.1", port).await();
            System.out.println("listening on port " + server.port());
            server.serveForever().await();
        });
    }

    private void serve(Connection connection) throws Exception {
        connection.readLimit(LONGEST_LINE);
        try {
            Timeout.after(PATIENCE).run(limit -> answer(connection));
        } catch (TimeoutException slow) {
            respond(connection, "408 Request Timeout", "");
        } catch (LimitOverrunException tooLong) {
            respond(connection, "431 Request Header Fields Too Large", "");
        }
    }

    private void answer(Connection connection) throws Exception {
        var request = connection.readLine();
        if (request == null) {
            return;
        }
        int headers = 0;
        for (var line = connection.readLine(); line != null && !line.isEmpty(); line = connection.readLine()) {
            if (++headers > MOST_HEADERS) {
                respond(connection, "431 Request Header Fields Too Large", "");
                return;
            }
        }
        if (request.startsWith("GET /metrics HTTP/1.")) {
            var metrics = loop.runInExecutor(() -> registry.scrape()).await(); // takes milliseconds
            respond(connection, "200 OK", metrics);
        } else {
            respond(connection, "404 Not Found", "");
        }
    }

    private static void respond(Connection connection, String status, String body) throws IOException {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        connection.write("HTTP/1.1 " + status + "\r\nContent-Type: " + TEXT + "\r\nContent-Length: " + length
                + "\r\nConnection: close\r\n\r\n" + body);
    }
}
