package io.github.uvloop4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.uvloop4j.affinity.CpuSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PinnedReportTest {
    private static final Cell QUIET = new Cell(1024, 50, 1, 1, false);
    private static final Cell NOISY = new Cell(1024, 50, 1, 1, true);
    private static final List<String> LOOP_KEYS = List.of(
            "loop_migrations_per_second", "loop_voluntary_switches_per_second", "loop_involuntary_switches_per_second");

    private static final ServerSpec A = new ServerSpec("a", List.of("x"));
    private static final ServerSpec B = new ServerSpec("b", List.of("x"));

    private static BenchSettings settings(Cell... cells) {
        return new BenchSettings(
                Over.TCP,
                List.of(A, A.pinned(), B, B.pinned()),
                "unpinned",
                List.of(cells),
                1,
                Duration.ofSeconds(1),
                0,
                false,
                "",
                "",
                new LoopSettings(CpuSet.range(0, 1), List.of("y")),
                Duration.ZERO,
                List.of());
    }

    private static Run run(String server, Cell cell, double rate, Double migrations) {
        var report = new HashMap<String, Object>(Map.of(
                "messages_per_second",
                rate,
                "server_cpu_us_per_message",
                5.0,
                "p999_us",
                1000.0 / rate,
                "loop_voluntary_switches_per_second",
                1234.0,
                "loop_involuntary_switches_per_second",
                0.0));
        report.put("loop_migrations_per_second", migrations);
        return Run.of(server, cell, 1, report, Double.NaN);
    }

    private static Report report(BenchSettings settings, Run... runs) {
        var results = Results.of(settings, Stream.of(runs).toList());
        return new Report(settings, Map.of("machine", "m"), Map.of("uvloop4j", "v"), results);
    }

    private static Report everything() {
        return report(
                settings(QUIET, NOISY),
                run("a", QUIET, 100, 17.5),
                run("a-pinned", QUIET, 150, 0.0),
                run("b", QUIET, 10, 17.5),
                run("b-pinned", QUIET, 20, 0.0),
                run("a", NOISY, 60, 17.5),
                run("a-pinned", NOISY, 30, 0.0));
    }

    @Test
    void ratiosAreThoseOfPinnedToUnpinnedLoopsOfTheSameServer() {
        assertThat(everything().results().summaries())
                .extracting(summary -> summary.server() + " "
                        + summary.ratios().get(Metric.MESSAGES_PER_SECOND).ratio())
                .hasSize(6);
        assertThat(everything().results().summaries())
                .extracting(summary ->
                        summary.ratios().get(Metric.MESSAGES_PER_SECOND).ratio())
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b))
                .containsExactly(1.0, 1.5, 1.0, 2.0, 1.0, 0.5);
        assertThat(everything()
                        .results()
                        .summaries()
                        .get(1)
                        .ratios()
                        .get(Metric.P999_US)
                        .ratio())
                .isEqualTo(1 / 1.5, within(1e-9));
    }

    @Test
    void tableHasTheLoopThreads() {
        assertThat(everything().table())
                .contains(
                        "1024 B, 50 connections, 1 in flight, 1 loop\n",
                        "1024 B, 50 connections, 1 in flight, 1 loop, noisy neighbour\n",
                        "migrations/s   waits/s   preempted/s",
                        "17.5     1,234             0",
                        "Ratios to the same server on unpinned loops",
                        "the first ones of 0-1.",
                        "A noisy neighbour is");
        assertThat(report(settings(QUIET), run("a", QUIET, 1, 0.0)).legend()).doesNotContain("noisy");
    }

    @Test
    void whatTheKernelDoesNotTellIsADash() {
        var report = report(settings(QUIET), run("a", QUIET, 100, null));

        assertThat(report.table()).containsPattern("- +1,234 +0\n");
        assertThat(report.json()).contains("\"loop_migrations_per_second\": null");
    }

    @Test
    void jsonTellsLoopsAndNeighbours() {
        assertThat(everything().json())
                .contains(LOOP_KEYS)
                .contains("\"loops\": 1", "\"noisy_neighbour\": true", "\"loop_cpus\": \"0-1\"");
    }

    @Test
    void htmlChartsTheLoopThreads() {
        assertThat(HtmlReport.of(everything())).contains("migrations/s, less is better", "<th>waits/s</th>");
    }

    @Test
    void otherComparisonsAreAsTheyWere() {
        var cell = new Cell(1024, 50, 1);
        var settings = new BenchSettings(
                Over.TCP,
                List.of(A),
                "a",
                List.of(cell),
                1,
                Duration.ofSeconds(1),
                0,
                false,
                "",
                "",
                LoopSettings.NONE,
                Duration.ZERO,
                List.of());
        var report = report(settings, run("a", cell, 100, 1.0));

        assertThat(report.json()).doesNotContain(LOOP_KEYS).doesNotContain("loops", "neighbour", "p999_us_ratio");
        assertThat(report.table() + HtmlReport.of(report))
                .doesNotContain("migrations", "waits/s", "preempted", " loop");
    }
}
