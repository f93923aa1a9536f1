package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Program;
import io.github.uvloop4j.testing.TestTls;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server with TLS under curl, openssl, wrk and a browser. */
@Tag("peers")
@Timeout(120)
class HttpsTest {
    private static final String ROOT = TestTls.file("root.pem").toString();

    @TempDir
    private Path folder;

    private static Site site() throws Exception {
        var options = ServerOptions.defaults().tls(TestTls.server().applicationProtocols("http/1.1"));
        return new Site(WebServer.site(), new InetSocketAddress("127.0.0.1", 0), HttpLimits.DEFAULT, options);
    }

    private static String url(Site site, String path) {
        return "https://127.0.0.1:" + site.port() + path;
    }

    private static String curl(String... arguments) throws Exception {
        var all = new ArrayList<>(List.of("-sS", "--max-time", "30", "--cacert", ROOT));
        all.addAll(List.of(arguments));
        var result = Program.needed("curl").run(all.toArray(new String[0]));
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void oneConnectionServesSeveralUrls() throws Exception {
        try (var site = site()) {
            assertThat(curl(url(site, "/hello"), url(site, "/count?to=3"), url(site, "/wait?ms=10")))
                    .isEqualTo("Hello, world\n1\n2\n3\nafter 10 ms\n");
            assertThat(site.http().server().acceptedCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void eitherVersionServesWhatIsSentBack(String version) throws Exception {
        var sent = new byte[1_000_000];
        new Random(1).nextBytes(sent);
        var file = Files.write(folder.resolve("sent"), sent);
        var copy = folder.resolve("copy");
        try (var site = site()) {
            for (var field : new String[] {"Expect: 100-continue", "Transfer-Encoding: chunked", "Connection: close"}) {
                curl(
                        "--tlsv" + version,
                        "--tls-max",
                        version,
                        "--data-binary",
                        "@" + file,
                        "-H",
                        field,
                        "-o",
                        copy.toString(),
                        url(site, "/echo"));
                assertThat(Arrays.equals(Files.readAllBytes(copy), sent)).isTrue();
            }
        }
    }

    @Test
    void whoSendsTooMuchIsTold() throws Exception {
        var file = Files.write(folder.resolve("sent"), new byte[5_000_000]);
        try (var site = site()) {
            assertThat(curl("-w", "%{http_code}", "--data-binary", "@" + file, "-H", "Expect:", url(site, "/echo")))
                    .endsWith("413");
        }
    }

    @Test
    void whoDoesNotTrustItDoesNotTalkToIt() throws Exception {
        try (var site = site()) {
            var result = Program.needed("curl").run("-sS", url(site, "/hello"));
            assertThat(result.exitCode()).as(result.output()).isEqualTo(60);
            assertThat(curl(url(site, "/hello"))).isEqualTo("Hello, world\n");
        }
    }

    @Test
    void opensslVerifiesItAndAgreesOnTheProtocol() throws Exception {
        var openssl = Program.needed("openssl");
        try (var site = site()) {
            var result = openssl.run(
                    "s_client",
                    "-connect",
                    "127.0.0.1:" + site.port(),
                    "-CAfile",
                    ROOT,
                    "-verify_return_error",
                    "-alpn",
                    "h2,http/1.1");
            assertThat(result.output()).contains("Verify return code: 0 (ok)", "ALPN protocol: http/1.1");
        }
    }

    @Test
    void manyConnectionsGetEveryAnswer() throws Exception {
        var wrk = Program.needed("wrk");
        try (var site = site()) {
            var result = wrk.run("-c", "100", "-t", "2", "-d", "2s", url(site, "/hello"));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("requests in").doesNotContain("Socket errors", "Non-2xx");
        }
    }

    @Test
    void thePageShowsWhatItsScriptFetches() throws Exception {
        var browser = Program.needed("chromium", "chromium-browser", "google-chrome");
        assumeTrue(browser.run("--version").exitCode() == 0, "the browser does not start");
        try (var site = site()) {
            BrowserTest.assertShown(browser, folder, url(site, "/"), "--ignore-certificate-errors");
        }
    }
}
