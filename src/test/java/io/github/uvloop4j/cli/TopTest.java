package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TopTest {
    @Test
    void showsRatesOfEachLoop() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class)) {
            var outcome = Outcome.of("top", app.pid(), "--count", "2", "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            var lines = outcome.out().lines().toList();
            assertThat(lines)
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(loop(line, "stalls"))
                            .hasEntrySatisfying(
                                    "turns_per_second",
                                    rate -> assertThat((Double) rate).isPositive())
                            .hasEntrySatisfying(
                                    "busy_share",
                                    share -> assertThat((Double) share).isPositive())
                            .containsKeys("turn_p50_us", "turn_max_us", "polls_by_least_us", "tasks", "connections"));
            assertThat(lines).allSatisfy(line -> assertThat(loop(line, "idle")).containsEntry("running", true));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> loop(String line, String name) {
        return ((List<?>) Objects.requireNonNull(JsonReader.object(line).get("loops")))
                .stream()
                        .map(loop -> (Map<String, Object>) loop)
                        .filter(loop -> name.equals(loop.get("loop")))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void printsPlainLinesWhereThereIsNoTerminal() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class);
                var top = Launched.start("top", app.pid(), "--count", "1")) {
            var lines = top.lines();

            assertThat(top.status()).isZero();
            assertThat(lines).noneMatch(line -> line.contains("\033"));
            assertThat(lines).anyMatch(line -> line.startsWith("stalls  ")).anyMatch(line -> line.startsWith("idle  "));
        }
    }

    @Test
    void endsWithTheProgramAndSaysSo() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class);
                var top = Launched.start("top", app.pid())) {
            top.after("stalls  ");
            app.end();

            assertThat(top.status()).isZero();
            assertThat(top.errors()).isEqualTo("process " + app.pid() + " has ended\n");
        }
    }

    @Test
    void endsWithASignalAndLeavesNoRecording() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class);
                var top = Launched.start("top", app.pid())) {
            top.after("stalls  ");
            assertThat(Observed.recordings(app)).contains("Remote Recording Stream");
            top.signal("TERM");

            assertThat(top.status()).isEqualTo(143);
            assertThat(Observed.recordings(app)).contains("No available recordings");
        }
    }
}
