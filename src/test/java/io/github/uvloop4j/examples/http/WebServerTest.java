package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.BufferedReader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The site in a JVM of its own. */
@Timeout(120)
class WebServerTest {
    @Test
    void aSignalLetsItAnswerWhatWasAsked() throws Exception {
        var server = new ChildJvm().start(WebServer.class, "0");
        try (var output = server.inputReader();
                var client = new RawClient(port(output));
                var idle = new RawClient(client.socket().getPort());
                var waiting = new RawClient(client.socket().getPort())) {
            assertThat(client.get("/hello").read().status()).isEqualTo(200);
            assertThat(idle.get("/hello").read().status()).isEqualTo(200);
            waiting.get("/hello").read();
            waiting.get("/wait?ms=1000").get("/hello");
            client.get("/hello").read(); // so the request that came before it has been seen
            server.toHandle().destroy(); // SIGTERM; the process's own method would close the streams as well
            assertThat(idle.readToEnd()).isEmpty();
            var last = waiting.read();
            assertThat(last.body()).isEqualTo("after 1000 ms\n");
            assertThat(last.fields()).containsEntry("connection", "close");
            assertThat(waiting.readToEnd()).isEmpty();
            waiting.socket().close();
            client.socket().close();
            idle.socket().close();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(128 + 15);
            assertThat(output.readLine()).as("complaints").isNull();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static int port(BufferedReader output) throws Exception {
        var line = output.readLine();
        while (line != null && !line.startsWith("listening on port ")) {
            line = output.readLine();
        }
        assertThat(line).as("the server's output").isNotNull();
        return Integer.parseInt(line.substring("listening on port ".length()));
    }
}
