package io.github.uvloop4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.Scrape;
import io.github.uvloop4j.testing.Until;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The endpoint in a JVM of its own. */
@Timeout(120)
class MetricsEndpointTest {
    private Process server;
    private BufferedReader output;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new ChildJvm().start(MetricsEndpoint.class, "0");
        output = server.inputReader();
        var line = output.readLine();
        while (line != null && !line.startsWith("listening on port ")) {
            line = output.readLine();
        }
        assertThat(line).as("the server's output").isNotNull();
        port = Integer.parseInt(line.substring("listening on port ".length()));
    }

    @AfterEach
    void end() throws InterruptedException {
        server.destroyForcibly().waitFor();
    }

    private HttpResponse<String> get(String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException reset) {
            return "reset"; // what was not read resets the connection, perhaps before the answer is there
        }
    }

    @Test
    @Tag("cells")
    void aScrapeTellsOfTheLoopThatServesIt() throws Exception {
        Until.holds("a scrape that tells of the one before", () -> accepted() >= 2);
        var response = get("/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        var scrape = Scrape.of(response.body());
        assertThat(scrape.value("uvloop4j_loop_running", Map.of())).isEqualTo(1);
        assertThat(scrape.value("uvloop4j_loop_connections_accepted_total", Map.of()))
                .isGreaterThanOrEqualTo(2);
        assertThat(scrape.value("uvloop4j_loop_sent_bytes_total", Map.of())).isPositive();
        assertThat(scrape.value("uvloop4j_loop_turn_buckets_total", Map.of("le", "+Inf")))
                .isEqualTo(scrape.value("uvloop4j_loop_turn_seconds_count", Map.of()))
                .isPositive();
    }

    private double accepted() {
        try {
            return Scrape.of(get("/metrics").body()).value("uvloop4j_loop_connections_accepted_total", Map.of());
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void anythingElseIsNotFound() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(404);
        assertThat(get("/metrics/more").statusCode()).isEqualTo(404);
        assertThat(raw("POST /metrics HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 404 ");
        assertThat(raw("\r\n\r\n")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void requestsAreBounded() throws Exception {
        assertThat(raw("GET /" + "x".repeat(100_000))).matches(MetricsEndpointTest::isRefused);
        assertThat(raw("GET /metrics HTTP/1.1\r\nX: " + "x".repeat(100_000))).matches(MetricsEndpointTest::isRefused);
        assertThat(raw("GET /metrics HTTP/1.1\r\n" + "X: y\r\n".repeat(1_000))).matches(MetricsEndpointTest::isRefused);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    private static boolean isRefused(String answer) {
        return answer.equals("reset") || answer.startsWith("HTTP/1.1 431 ");
    }

    @Test
    void whoSendsNothingIsShownOut() throws Exception {
        assertThat(raw("GET /metrics HTTP/1.1\r\n")).startsWith("HTTP/1.1 408 ");
    }
}
