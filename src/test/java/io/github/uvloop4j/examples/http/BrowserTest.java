package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.testing.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser, whose script asks for all the rest. */
@Tag("peers")
@Timeout(120)
class BrowserTest {
    @Test
    void thePageShowsWhatItsScriptFetches(@TempDir Path folder) throws Exception {
        var browser = Program.needed("chromium", "chromium-browser", "google-chrome");
        assumeTrue(browser.run("--version").exitCode() == 0, "the browser does not start"); // a stub for a snap
        try (var site = new Site(WebServer.site())) {
            assertShown(browser, folder, site.url("/"));
        }
    }

    /** Looks at the page with further options. */
    static void assertShown(Program browser, Path folder, String url, String... options) throws Exception {
        var arguments = new ArrayList<>(List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + folder,
                "--virtual-time-budget=10000",
                "--dump-dom"));
        arguments.addAll(List.of(options));
        arguments.add(url);
        assertThat(browser.run(arguments.toArray(new String[0])).output())
                .contains(
                        "<p id=\"hello\">Hello, world",
                        "<p id=\"echo\">déjà vu",
                        "<p id=\"count\">1\n2\n3\n4\n5",
                        "<p id=\"wait\">after 20 ms");
    }
}
