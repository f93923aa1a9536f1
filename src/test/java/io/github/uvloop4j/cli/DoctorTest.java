package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DoctorTest {
    private static final String METHOD = ObservedApps.Stalls.class.getName() + ".crunchNumbers";

    @TempDir
    Path directory;

    private static Stream<Map<?, ?>> findings(Outcome outcome, String kind) {
        return ((List<?>) outcome.json().get("findings"))
                .stream()
                        .<Map<?, ?>>map(finding -> (Map<?, ?>) finding)
                        .filter(finding -> kind.equals(finding.get("kind")));
    }

    @Test
    void findsAStallInAJvmThatRuns() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class)) {
            var html = directory.resolve("report.html");
            var outcome = Outcome.of("doctor", app.pid(), "--duration", "5s", "--json", "--html", html.toString());

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            assertThat(findings(outcome, "stall")).singleElement().satisfies(finding -> {
                assertThat(finding.get("loops")).isEqualTo(List.of("stalls"));
                assertThat(((Map<?, ?>) finding.get("numbers")).get("method")).isEqualTo(METHOD);
                assertThat(finding.get("grade")).isEqualTo("serious");
            });
            assertThat(outcome.json().get("loops")).asString().contains("loop=stalls", "loop=idle");
            assertThat(Files.readString(html)).contains("crunchNumbers", "class=\"stall\"");
            assertThat(Observed.recordings(app)).contains("No available recordings");
        }
    }

    @Test
    void findsALoopThatIsStuckSinceBefore() throws Exception {
        try (var app = Observed.start(ObservedApps.Stuck.class)) {
            var outcome = Outcome.of("doctor", app.pid(), "--duration", "3s", "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(findings(outcome, "stuck")).singleElement().satisfies(finding -> {
                assertThat(finding.get("loops")).isEqualTo(List.of("stuck"));
                assertThat(finding.get("title")).asString().contains("ObservedApps$Stuck.waitForEver");
            });
        }
    }

    @Test
    void saysThatTheProgramEndedAndWhatWasSeen() throws Exception {
        try (var app = Observed.start(ObservedApps.Stalls.class, List.of("6"))) {
            var outcome = Outcome.of("doctor", app.pid(), "--duration", "1m", "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            assertThat(outcome.json().get("notes")).asString().contains("the process ended while it was watched");
            assertThat(findings(outcome, "stall")).hasSize(1);
        }
    }

    @Test
    void readsWhatAFlagHasRecorded() throws Exception {
        var file = directory.resolve("app.jfr");
        try (var app =
                Observed.start(ObservedApps.Stalls.class, List.of("2"), "-XX:StartFlightRecording:filename=" + file)) {
            app.awaitEnd();
        }
        var outcome = Outcome.of("doctor", file.toString());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("stalls was kept", METHOD, "   -> ");
        assertThat(findings(Outcome.of("doctor", file.toString(), "--json"), "stall"))
                .hasSize(1);
        cutInTheMiddle(file);
    }

    private void cutInTheMiddle(Path file) throws Exception {
        var bytes = Files.readAllBytes(file);
        var cut = Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length * 9 / 10));
        var outcome = Outcome.of("doctor", cut.toString());

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("note: cut.jfr was cut or damaged", METHOD);
    }
}
