package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server under load, by wrk. */
@Tag("peers")
class WrkTest {
    /** What wrk prints when an answer is missing, broken, or not 2xx or 3xx. */
    private static final String[] COMPLAINTS = {"Socket errors", "Non-2xx"};

    @ParameterizedTest
    @ValueSource(strings = {"/hello", "/count?to=20", "/wait?ms=1"})
    void twoHundredConnectionsGetEveryAnswer(String path) throws Exception {
        var wrk = Program.needed("wrk");
        try (var site = new Site(WebServer.site())) {
            var result = wrk.run("-c", "200", "-t", "4", "-d", "2s", site.url(path));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("requests in").doesNotContain(COMPLAINTS);
            assertThat(site.http().server().acceptedCount()).isGreaterThanOrEqualTo(200);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredUnderLoad(@TempDir Path folder) throws Exception {
        var wrk = Program.needed("wrk");
        var script = Files.writeString(folder.resolve("pipeline.lua"), """
                init = function(args)
                  local r = {}
                  for i = 1, 8 do
                    r[i] = wrk.format("GET", "/hello")
                    r[8 + i] = wrk.format("POST", "/echo", nil, "0123456789")
                  end
                  all = table.concat(r)
                end
                request = function() return all end
                """);
        try (var site = new Site(WebServer.site())) {
            var result = wrk.run("-c", "50", "-t", "2", "-d", "2s", "-s", script.toString(), site.url("/"));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("requests in").doesNotContain(COMPLAINTS);
        }
    }
}
