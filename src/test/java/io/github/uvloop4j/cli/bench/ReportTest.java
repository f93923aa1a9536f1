package io.github.uvloop4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Cell CELL = new Cell(1024, 50, 1);

    private static BenchSettings settings(String... servers) {
        var specs = Stream.of(servers)
                .map(name -> new ServerSpec(name, List.of("x")))
                .toList();
        return new BenchSettings(
                Over.TCP,
                specs,
                servers[0],
                List.of(CELL),
                3,
                Duration.ofSeconds(1),
                0,
                false,
                "",
                "",
                LoopSettings.NONE,
                Duration.ZERO,
                List.of());
    }

    private static Stream<Run> runs(String server, double... rates) {
        return IntStream.range(0, rates.length)
                .mapToObj(index -> Run.of(
                        server,
                        CELL,
                        index + 1,
                        Map.of(
                                "messages_per_second",
                                rates[index],
                                "server_cpu_us_per_message",
                                1e6 / rates[index],
                                "p99_us",
                                10.0,
                                "messages",
                                rates[index]),
                        Double.NaN));
    }

    private static Report report(BenchSettings settings, Stream<Run> runs) {
        var results = Results.of(settings, runs.toList());
        return new Report(settings, Map.of("machine", "m"), Map.of("uvloop4j", "v"), results);
    }

    @Test
    void suspiciouslyFastRunFailsAndIsLeftOut() {
        var results = Results.of(settings("a"), runs("a", 100, 110, 900).toList());

        assertThat(results.failures())
                .singleElement()
                .extracting(Run::failure)
                .asString()
                .contains("suspiciously fast");
        assertThat(results.summaries()).singleElement().satisfies(summary -> {
            assertThat(summary.rounds()).isEqualTo(2);
            assertThat(summary.median(Metric.MESSAGES_PER_SECOND)).isEqualTo(105);
        });
    }

    @Test
    void ratiosPairTheRounds() {
        var all = Stream.concat(runs("a", 100, 200, 400), runs("b", 50, 100, 200));

        var summaries = Results.of(settings("a", "b"), all.toList()).summaries();

        var ratio = summaries.get(1).ratios().get(Metric.MESSAGES_PER_SECOND);
        assertThat(ratio.ratio()).isEqualTo(0.5, within(1e-9));
        assertThat(ratio.high()).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void tableShowsFailures() {
        var failed = Run.failed("b", CELL, 2, "it died");

        var table = report(settings("a", "b"), Stream.concat(runs("a", 100), Stream.of(failed)))
                .table();

        assertThat(table).contains("FAILED b (1024 B, 50 connections, 1 in flight, round 2): it died");
        assertThat(table).contains("messages/s", "Ratios to a");
    }

    @Test
    void htmlNeedsNothingElseAndEscapes() {
        var failed = Run.failed("<b>", CELL, 1, "x < y & \"z\"");
        var html = HtmlReport.of(report(settings("a&b", "<b>"), Stream.concat(runs("a&b", 100), Stream.of(failed))));

        assertThat(html).contains("<svg", "prefers-color-scheme: dark", "a&amp;b", "x &lt; y &amp; &quot;z&quot;");
        assertThat(html).doesNotContain("<b>", "http", "src=", "href=", "url(", "@import", "<script", "<link");
    }
}
