package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import java.util.List;
import java.util.Map;
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
            assertThat(outcome.out().lines()).hasSize(2).allSatisfy(line -> {
                var loops = (List<?>) JsonReader.object(line).get("loops");
                assertThat(loops).hasSize(2);
                assertThat(loops)
                        .anySatisfy(loop -> assertThat(((Map<?, ?>) loop))
                                .satisfies(
                                        fields -> assertThat(fields.get("loop")).isEqualTo("stalls"))
                                .satisfies(fields -> assertThat((Double) fields.get("turns_per_second"))
                                        .isPositive())
                                .satisfies(fields -> assertThat((Double) fields.get("busy_share"))
                                        .isGreaterThan(0.2)));
            });
        }
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
