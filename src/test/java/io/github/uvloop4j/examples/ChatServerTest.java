package io.github.uvloop4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The chat server in a JVM of its own, with clients on blocking sockets. */
@Timeout(120)
class ChatServerTest {
    private Process server;
    private BufferedReader output;
    private int port;

    /** Someone in the room. */
    private final class Guest implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader lines;

        Guest(String name, int receiveBuffer) throws IOException {
            socket.setReceiveBufferSize(receiveBuffer);
            socket.setSoTimeout(60_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            say(name);
        }

        void say(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }

        String hear() throws IOException {
            return lines.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Guest guest(String name) throws IOException {
        return new Guest(name, 64 * 1024);
    }

    @BeforeEach
    void start() throws IOException {
        server = new ChildJvm().start(ChatServer.class, "0");
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

    @Test
    @Tag("cells")
    void everyoneHearsEveryone() throws IOException {
        try (var ann = guest("ann")) {
            assertThat(ann.hear()).isEqualTo("* ann comes in");
            try (var bob = guest("bob")) {
                assertThat(ann.hear()).isEqualTo("* bob comes in");
                assertThat(bob.hear()).isEqualTo("* bob comes in");
                bob.say("good morning");
                assertThat(ann.hear()).isEqualTo("bob: good morning");
                assertThat(bob.hear()).isEqualTo("bob: good morning");
            }
            assertThat(ann.hear()).isEqualTo("* bob has left");
        }
    }

    @Test
    void aStopTellsAllAndLetsThemReadToTheEnd() throws Exception {
        try (var ann = guest("ann");
                var silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(ann.hear()).isEqualTo("* ann comes in");
            ann.say("last words");
            assertThat(ann.hear()).isEqualTo("ann: last words");
            server.toHandle().destroy(); // SIGTERM; the process's own method would close the streams as well
            assertThat(ann.hear()).isEqualTo("* the server stops");
            assertThat(ann.hear()).isNull();
            assertThat(silent.getInputStream().readAllBytes()).asString().endsWith("* the server stops\n");
        }
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(128 + 15);
        assertThat(output.readLine()).as("complaints").isNull();
    }

    @Test
    void whoIsTooSlowIsThrownOut() throws IOException {
        var line = "x".repeat(16 * 1024);
        try (var ann = guest("ann");
                var slow = new Guest("slow", 4 * 1024)) {
            assertThat(ann.hear()).isEqualTo("* ann comes in");
            assertThat(ann.hear()).isEqualTo("* slow comes in");
            String heard = "";
            for (int i = 0; i < 4_000 && !heard.equals("* slow has left"); i++) {
                ann.say(line);
                do {
                    heard = ann.hear();
                } while (!heard.endsWith(line) && !heard.equals("* slow has left"));
            }
            assertThat(heard).isEqualTo("* slow has left");
            assertThat(slow.socket.isConnected()).isTrue();
        }
    }
}
