package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Program;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server under curl. */
@Tag("peers")
class CurlTest {
    @TempDir
    private Path folder;

    private Program curl;

    @BeforeEach
    void find() {
        curl = Program.needed("curl");
    }

    private String curl(String... arguments) throws Exception {
        var all = new String[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        all[0] = "--silent";
        all[1] = "--show-error";
        all[2] = "--max-time";
        all[3] = "30";
        var result = curl.run(all);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void oneConnectionServesSeveralUrls() throws Exception {
        try (var site = new Site(WebServer.site())) {
            var output = curl(site.url("/hello"), site.url("/count?to=3"), site.url("/wait?ms=10"));
            assertThat(output).isEqualTo("Hello, world\n1\n2\n3\nafter 10 ms\n");
            assertThat(site.http().server().acceptedCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Expect: 100-continue", "Transfer-Encoding: chunked", "Connection: close", "Expect:"})
    void whatIsSentComesBack(String field) throws Exception {
        var sent = new byte[1_000_000];
        new Random(1).nextBytes(sent);
        var file = Files.write(folder.resolve("sent"), sent);
        var copy = folder.resolve("copy");
        try (var site = new Site(WebServer.site())) {
            curl("--data-binary", "@" + file, "-H", field, "-o", copy.toString(), site.url("/echo"));
            assertThat(Arrays.equals(Files.readAllBytes(copy), sent)).isTrue();
        }
    }

    @Test
    void whoSendsTooMuchIsTold() throws Exception {
        var file = Files.write(folder.resolve("sent"), new byte[5_000_000]);
        try (var site = new Site(WebServer.site())) {
            for (var field : new String[] {"Expect:", "Expect: 100-continue", "Transfer-Encoding: chunked"}) {
                var output = curl("-w", "%{http_code}", "--data-binary", "@" + file, "-H", field, site.url("/echo"));
                assertThat(output).endsWith("413");
            }
        }
    }

    @Test
    void aUnixSocketServesAsWell() throws Exception {
        var path = folder.resolve("http.sock");
        var address = UnixDomainSocketAddress.of(path);
        try (var site = new Site(WebServer.site(), address, HttpLimits.DEFAULT, ServerOptions.defaults())) {
            assertThat(curl("--unix-socket", path.toString(), "http://x/hello", "http://x/count?to=2"))
                    .isEqualTo("Hello, world\n1\n2\n");
            assertThat(site.http().server().acceptedCount()).isEqualTo(1);
        }
    }

    @Test
    void headAndTheOlderVersionAreServed() throws Exception {
        try (var site = new Site(WebServer.site())) {
            assertThat(curl("--head", site.url("/hello")))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("Content-Length: 13");
            assertThat(curl("--http1.0", site.url("/count?to=3"))).isEqualTo("1\n2\n3\n");
        }
    }
}
