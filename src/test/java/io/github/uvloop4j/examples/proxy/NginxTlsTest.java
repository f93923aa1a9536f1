package io.github.uvloop4j.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Program;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import io.github.uvloop4j.testing.Until;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxy with TLS to its clients, to a real nginx, or to both. */
@Tag("peers")
@Timeout(120)
class NginxTlsTest {
    private static final int LARGE = 64 * 1024 * 1024;

    @TempDir
    private Path folder;

    private byte[] file(String name, int size) throws Exception {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Files.write(folder.resolve("files").resolve(name), bytes);
        return bytes;
    }

    private Nginx nginx(boolean secure, String protocol) throws Exception {
        return secure
                ? new Nginx(
                        folder,
                        "ssl; ssl_certificate %s; ssl_certificate_key %s; ssl_protocols %s"
                                .formatted(
                                        TestTls.file("rsa.pem").toAbsolutePath(),
                                        TestTls.file("rsa.key").toAbsolutePath(),
                                        protocol))
                : new Nginx(folder);
    }

    private static RunningProxy proxy(Nginx nginx, boolean secureClients, boolean secureServer) throws Exception {
        return new RunningProxy(
                nginx.port(),
                ConnectOptions.defaults().tls(secureServer ? TestTls.client() : null),
                ServerOptions.defaults().tls(secureClients ? TestTls.server() : null));
    }

    @ParameterizedTest
    @CsvSource({"true,false,", "false,true,TLSv1.3", "false,true,TLSv1.2", "true,true,TLSv1.3"})
    void filesPassUnchanged(boolean secureClients, boolean secureServer, String protocol) throws Exception {
        var curl = Program.needed("curl");
        try (var nginx = nginx(secureServer, protocol);
                var proxy = proxy(nginx, secureClients, secureServer)) {
            var large = file("large", 5_000_000);
            file("small", 100);
            var copy = folder.resolve("copy");
            var url = (secureClients ? "https" : "http") + "://127.0.0.1:" + proxy.port();
            var root = TestTls.file("root.pem").toString();
            var result = curl.run(
                    "-sS", "--cacert", root, "-o", copy.toString(), url + "/large", "-o", "/dev/null", url + "/small");
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(Arrays.equals(Files.readAllBytes(copy), large)).isTrue();
            proxy.awaitNoClients();
        }
    }

    @Test
    void aServerThatIsNotTrustedIsA502() throws Exception {
        var curl = Program.needed("curl");
        try (var nginx = nginx(true, "TLSv1.3")) {
            var stranger = ConnectOptions.defaults().tls(TestTls.client().serverName("other.example"));
            try (var proxy = new RunningProxy(nginx.port(), stranger, ServerOptions.defaults())) {
                var url = "http://127.0.0.1:" + proxy.port() + "/";
                assertThat(curl.run("-s", "-o", "/dev/null", "-w", "%{http_code}", url)
                                .output())
                        .isEqualTo("502");
            }
        }
    }

    @Test
    void aSlowClientIsWaitedForAndFillsNoMemory() throws Exception {
        try (var nginx = nginx(true, "TLSv1.3");
                var proxy = proxy(nginx, true, true);
                var socket = NginxTest.slowClient(proxy.port());
                var client = TlsPeers.client(socket, "localhost")) {
            var large = file("large", LARGE);
            client.setSoTimeout(30_000);
            client.getOutputStream().write("GET /large HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            var received = new AtomicLong();
            Until.holds("nothing moves any more", () -> {
                long before = received.get();
                LockSupport.parkNanos(50_000_000);
                received.set(proxy.loop().statistics().io().bytesReceived());
                return before > 100_000 && received.get() == before;
            });
            assertThat(received.get()).isLessThan(LARGE / 4); // what the kernel's buffers take
            var all = new ByteArrayOutputStream(LARGE);
            client.getInputStream().transferTo(all);
            var bytes = all.toByteArray();
            int head = bytes.length - LARGE;
            assertThat(head).isPositive();
            assertThat(Arrays.equals(bytes, head, bytes.length, large, 0, LARGE))
                    .isTrue();
        }
    }
}
