package io.github.uvloop4j.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.json.JsonWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopScreenTest {
    private static Seen.Loop busy(String name) {
        return Seen.loop(name)
                .count(Counter.TURNS, 12_340)
                .count(Counter.BYTES_RECEIVED, 15_000_000)
                .count(Counter.POSTS, 70)
                .times(Distribution.POLLS, 500, 100)
                .times(Distribution.POLLS, 5_000_000, 50)
                .times(Distribution.TURNS, 3_000, 10)
                .tasks(1, 7)
                .connections(1, 3);
    }

    @Test
    void eachLoopHasALineWithItsNumbers() {
        var lines = new TopScreen(true).lines(Seen.of(busy("one"), busy("two")));

        assertThat(lines)
                .anyMatch(line -> line.startsWith("one  ")
                        && line.contains("10 %")
                        && line.contains("1,234")
                        && line.contains("█..▄...")
                        && line.contains("1.5 MB"));
        assertThat(lines).anyMatch(line -> line.startsWith("two  "));
    }

    @Test
    void theChartDoesWithoutBlockCharactersWhereThereAreNone() {
        assertThat(new LoopTable(false).chart(new long[] {0, 1, 400, 800})).isEqualTo(".148");
        assertThat(new TopScreen(false).lines(Seen.of(busy("one"))))
                .allMatch(line -> line.chars().allMatch(c -> c < 0x80));
    }

    @Test
    void theNewestStallsAreBelowWithTheirFrames() {
        var loop = busy("one")
                .stalls(
                        Seen.stall(1, 120, "demo.Old.work(Old.java:1)"),
                        Seen.stall(5, 300, "demo.New.work(New.java:2)"));
        var text = String.join("\n", new TopScreen(true).lines(Seen.of(loop)));

        assertThat(text).containsSubsequence("kept for 300 ms", "demo.New.work", "kept for 120 ms", "demo.Old.work");
    }

    @Test
    void aLoopThatWasSeenOnceHasNoRates() {
        var once = busy("one").report();
        var present = Seen.of();
        var loop = new LoopReport(
                once.identity(),
                once.snapshots().subList(0, 1),
                false,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Activity.NONE,
                null,
                List.of());
        var seen = new Observation(
                "a",
                present.begin(),
                present.end(),
                List.of(loop),
                List.of(),
                List.of(),
                "",
                Activity.NONE,
                List.of("odd"));
        var screen = new TopScreen(true);

        assertThat(screen.hasNews(seen)).isFalse();
        assertThat(screen.lines(seen)).anyMatch(line -> line.startsWith("one") && line.contains(" - "));
        assertThat(screen.lines(seen)).contains("note: odd");
        assertThat(screen.fields(seen).toString()).doesNotContain("turns_per_second");
    }

    @Test
    void theSameNumbersAreNoNews() {
        var screen = new TopScreen(true);
        var seen = Seen.of(busy("one"));

        assertThat(screen.hasNews(seen)).isTrue();
        assertThat(screen.hasNews(seen)).isFalse();
        assertThat(screen.hasNews(Seen.of())).isFalse();
    }

    @Test
    void whatComesFromTheProgramCannotCommandTheTerminal() {
        var loop = busy("\033[2J\nname").stalls(Seen.stall(1, 120, "demo.A\033]0;x\007.b(A.java)"));

        assertThat(new TopScreen(true).lines(Seen.of(loop)))
                .allMatch(line -> line.chars().noneMatch(c -> c < ' ' || c == 0x7f));
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonHasTheUnitsInItsKeys() {
        var fields = JsonReader.object(JsonWriter.line(new TopScreen(true).fields(Seen.of(busy("one")))));
        var loop = (Map<String, Object>) ((List<?>) fields.get("loops")).getFirst();

        assertThat(loop)
                .containsEntry("loop", "one")
                .containsEntry("busy_share", 0.1)
                .containsEntry("turns_per_second", 1234.0)
                .containsEntry("received_bytes_per_second", 1_500_000.0)
                .containsEntry("tasks", 7.0)
                .containsEntry("connections", 3.0)
                .containsKeys("turn_p50_us", "turn_max_us", "polls_by_least_us", "busy_ms_by_kind", "cpus");
        assertThat(loop.get("polls_by_least_us")).asString().startsWith("{0=100.0, 10=0.0");
    }
}
