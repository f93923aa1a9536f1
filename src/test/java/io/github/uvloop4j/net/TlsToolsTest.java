package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.tls.ClientAuth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS against openssl and curl, where they are installed. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsToolsTest {
    private static void needs(String program) {
        boolean there = List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
        assumeTrue(there, program + " is not installed");
    }

    /** Runs a program with an input; what it printed, both ways. */
    private static CompletableFuture<String> run(String input, String... command) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        var process = new ProcessBuilder(command)
                                .redirectErrorStream(true)
                                .start();
                        try (var stdin = process.getOutputStream()) {
                            stdin.write(input.getBytes(StandardCharsets.UTF_8));
                        }
                        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                        if (!process.waitFor(30, TimeUnit.SECONDS)) {
                            process.destroyForcibly();
                        }
                        return output;
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                },
                work -> Thread.ofPlatform().daemon().start(work));
    }

    /** A program to talk with. */
    private static final class Talk implements AutoCloseable {
        final Process process;
        private final StringBuffer output = new StringBuffer();

        Talk(String... command) throws IOException {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var reader = process.inputReader(StandardCharsets.UTF_8);
            Thread.ofPlatform().daemon().start(() -> reader.lines().forEach(output::append));
        }

        void say(String text) throws IOException {
            process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        boolean heard(String text) {
            return output.indexOf(text) >= 0;
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.destroyForcibly().onExit().join();
        }
    }

    private static String root() {
        return TestTls.file("root.pem").toAbsolutePath().toString();
    }

    private static String file(String name) {
        return TestTls.file(name).toAbsolutePath().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void opensslConnectsToUs(String version, EventLoop loop) throws Exception {
        needs("openssl");
        loop.run(() -> {
            var tls = TestTls.server()
                    .applicationProtocols("echo")
                    .clientAuth(ClientAuth.REQUIRED)
                    .trust(TestTls.file("root.pem"));
            var seen = new ArrayList<TlsInfo>();
            var server = loop.net()
                    .startServer(
                            connection -> {
                                seen.add(connection.tls());
                                connection.write("you said " + connection.readLine() + "\n");
                            },
                            "localhost",
                            0,
                            ServerOptions.defaults().tls(tls))
                    .await();
            var output = Recorder.await(
                    loop,
                    run(
                            "hello\n",
                            "openssl",
                            "s_client",
                            "-connect",
                            "127.0.0.1:" + server.port(),
                            "-servername",
                            "localhost",
                            "-verify_return_error",
                            "-verify_hostname",
                            "localhost",
                            "-CAfile",
                            root(),
                            "-cert",
                            file("client.pem"),
                            "-key",
                            file("client.key"),
                            "-alpn",
                            "echo",
                            "-ign_eof",
                            version));
            assertThat(output)
                    .contains("you said hello")
                    .contains("Verify return code: 0 (ok)")
                    .contains("ALPN protocol: echo");
            assertThat(seen.getFirst().applicationProtocol()).isEqualTo("echo");
            assertThat(seen.getFirst().serverName()).isEqualTo("localhost");
            assertThat(seen.getFirst().peerCertificates()).isNotEmpty();
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void weConnectToOpenssl(String version, EventLoop loop, @TempDir Path directory) throws Exception {
        needs("openssl");
        var process = new ProcessBuilder(
                        "openssl",
                        "s_server",
                        "-accept",
                        "127.0.0.1:0",
                        "-cert",
                        file("rsa.pem"),
                        "-key",
                        file("rsa.key"),
                        "-cert_chain",
                        root(),
                        "-rev",
                        version)
                .redirectErrorStream(true)
                .start();
        try {
            var output = process.inputReader(StandardCharsets.UTF_8);
            int port = 0;
            for (var line = output.readLine(); line != null && port == 0; line = output.readLine()) {
                if (line.startsWith("ACCEPT ")) {
                    port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
                }
                if (port != 0) {
                    break;
                }
            }
            int accepting = port;
            CompletableFuture.runAsync(() -> output.lines().forEach(line -> {}));
            loop.run(() -> {
                try (var connection = loop.net()
                        .openConnection(
                                "127.0.0.1",
                                accepting,
                                ConnectOptions.defaults().tls(TestTls.client()))) {
                    for (int i = 0; i < 10; i++) {
                        connection.write("abc" + i + "\n");
                        assertThat(connection.readLine()).isEqualTo(i + "cba");
                    }
                    assertThat(connection.tls().protocol())
                            .isEqualTo(version.equals("-tls1_2") ? "TLSv1.2" : "TLSv1.3");
                }
            });
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void opensslUpdatesItsKeysAndIsRefusedARenegotiation(EventLoop loop) throws Exception {
        needs("openssl");
        loop.run(() -> {
            var lines = new ArrayList<String>();
            var server = loop.net()
                    .startServer(
                            connection -> {
                                for (var line = connection.readLine(); line != null; line = connection.readLine()) {
                                    lines.add(line);
                                }
                            },
                            "localhost",
                            0,
                            ServerOptions.defaults().tls(TestTls.server()))
                    .await();
            var address = "127.0.0.1:" + server.port();
            try (var client = new Talk("openssl", "s_client", "-connect", address, "-tls1_3")) {
                client.say("before\n");
                Recorder.until(loop, () -> lines.contains("before"));
                // New keys of both sides.
                client.say("K\n");
                Recorder.until(loop, () -> client.heard("KEYUPDATE"));
                client.say("after\n");
                Recorder.until(loop, () -> lines.contains("after"));
            }
            try (var client = new Talk("openssl", "s_client", "-connect", address, "-tls1_2")) {
                client.say("twelve\n");
                Recorder.until(loop, () -> lines.contains("twelve"));
                client.say("R\n");
                Recorder.until(loop, () -> client.heard("RENEGOTIATING") && !client.process.isAlive());
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
            assertThat(lines).containsExactly("before", "after", "twelve");
        });
    }

    @Test
    void curlIsServed(EventLoop loop) throws Exception {
        needs("curl");
        loop.run(() -> {
            var body = "x".repeat(1_000_000);
            var tls = TestTls.server().applicationProtocols("http/1.1");
            var server = loop.net()
                    .startServer(
                            connection -> {
                                for (var line = connection.readLine();
                                        line != null && !line.isEmpty();
                                        line = connection.readLine()) {}
                                connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                        + body.length() + "\r\n\r\n" + body);
                            },
                            "localhost",
                            0,
                            ServerOptions.defaults().tls(tls))
                    .await();
            var url = "https://localhost:" + server.port() + "/";
            var output = Recorder.await(
                    loop, run("", "curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", root(), url));
            assertThat(output).isEqualTo(body);
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }
}
