package io.github.uvloop4j.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.Program;
import io.github.uvloop4j.testing.Until;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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

/** The proxy in front of a real nginx. */
@Tag("peers")
@Timeout(120)
class NginxTest {
    private static final int LARGE = 64 * 1024 * 1024;

    @TempDir
    private Path folder;

    private byte[] file(String name, int size) throws Exception {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Files.write(folder.resolve("files").resolve(name), bytes);
        return bytes;
    }

    @Test
    void filesPassUnchanged() throws Exception {
        var curl = Program.needed("curl");
        try (var nginx = new Nginx(folder);
                var proxy = new RunningProxy(nginx.port())) {
            var small = file("small", 100);
            var large = file("large", 5_000_000);
            var copies = folder.resolve("copies");
            var url = "http://127.0.0.1:" + proxy.port();
            var result = curl.run(
                    "-sS",
                    "--create-dirs",
                    "--output-dir",
                    copies.toString(),
                    "-o",
                    "#1",
                    url + "/{small,large,small}");
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(Arrays.equals(Files.readAllBytes(copies.resolve("small")), small))
                    .isTrue();
            assertThat(Arrays.equals(Files.readAllBytes(copies.resolve("large")), large))
                    .isTrue();
            assertThat(curl.run("-sI", url + "/small").output()).contains("200 OK", "Content-Length: 100");
            assertThat(curl.run("-s", "-o", "/dev/null", "-w", "%{http_code}", url + "/none")
                            .output())
                    .isEqualTo("404");
            proxy.awaitNoClients();
        }
    }

    /** One whose kernel takes little, where it could take more than the file has. */
    static Socket slowClient(int port) throws Exception {
        var socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    @Test
    void aSlowClientIsWaitedForAndFillsNoMemory() throws Exception {
        try (var nginx = new Nginx(folder);
                var proxy = new RunningProxy(nginx.port());
                var client = slowClient(proxy.port())) {
            var large = file("large", LARGE);
            client.setSoTimeout(30_000);
            client.getOutputStream().write("GET /large HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            var received = new AtomicLong();
            Until.holds("nothing moves any more", () -> {
                long before = received.get();
                LockSupport.parkNanos(50_000_000);
                received.set(proxy.loop().statistics().io().bytesReceived());
                return before > 0 && received.get() == before;
            });
            assertThat(received.get()).isLessThan(LARGE / 4); // what the kernel's buffers take
            var all = new ByteArrayOutputStream(LARGE);
            client.getInputStream().transferTo(all);
            client.shutdownOutput();
            var bytes = all.toByteArray();
            int head = bytes.length - LARGE;
            assertThat(head).isPositive();
            assertThat(Arrays.equals(bytes, head, bytes.length, large, 0, LARGE))
                    .isTrue();
            proxy.awaitNoClients();
        }
    }

    @Test
    void manyConnectionsGetEveryAnswer() throws Exception {
        var wrk = Program.needed("wrk");
        try (var nginx = new Nginx(folder);
                var proxy = new RunningProxy(nginx.port())) {
            file("small", 1000);
            var result = wrk.run("-c", "50", "-t", "2", "-d", "2s", "http://127.0.0.1:" + proxy.port() + "/small");
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("requests in").doesNotContain("Socket errors", "Non-2xx");
            proxy.awaitNoClients();
        }
    }

    @Test
    void aServerThatStopsIsReplacedByAWord() throws Exception {
        var curl = Program.needed("curl");
        try (var nginx = new Nginx(folder);
                var proxy = new RunningProxy(nginx.port())) {
            file("small", 100);
            var url = "http://127.0.0.1:" + proxy.port() + "/small";
            assertThat(curl.run("-s", "-o", "/dev/null", "-w", "%{http_code}", url)
                            .output())
                    .isEqualTo("200");
            nginx.stop();
            assertThat(curl.run("-s", "-o", "/dev/null", "-w", "%{http_code}", url)
                            .output())
                    .isEqualTo("502");
        }
    }
}
