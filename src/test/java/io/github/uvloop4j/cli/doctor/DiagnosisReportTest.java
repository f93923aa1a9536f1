package io.github.uvloop4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.observe.BlockingCall;
import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.Distribution;
import io.github.uvloop4j.cli.observe.Lookup;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Seen;
import io.github.uvloop4j.cli.observe.Share;
import io.github.uvloop4j.cli.observe.TaskOutcomes;
import io.github.uvloop4j.cli.observe.Wait;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DiagnosisReportTest {
    private static final String EVIL = "</title><script>alert('x')</script>&\"\033[2J\u0000";
    private static final String FRAME = "demo.Server.crunch(Server.java:7)";
    private static final Set<String> WITHOUT_END = Set.of("meta", "!DOCTYPE");

    private static Diagnosis full(String text) {
        var millis = 1_000_000L;
        return Diagnosis.of(Seen.with(
                        List.of(new Pause(Seen.at(2), 500 * millis, text)),
                        List.of(),
                        Seen.loop(text + "1")
                                .cpus("0")
                                .tasksRide("baton")
                                .tasks(1, 30, 60, 90, 120, 150)
                                .count(Counter.TASKS_MADE, 9)
                                .count(Counter.STEP_TIME, 500 * millis)
                                .times(Distribution.TURNS, 20 * millis, 50)
                                .times(Distribution.POLLS, 2 * millis, 50)
                                .times(Distribution.READY_DELAY, 40 * millis, 50)
                                .samples(text, 60, 10)
                                .stalls(Seen.stall(3, 300, text))
                                .waits(new Wait(Seen.at(1), Wait.Kind.FILE_READ, 50 * millis, text, text))
                                .outcomes(new TaskOutcomes(text, 1, 20, 0, text))
                                .blockingCalls(new BlockingCall(text, text, 3))
                                .lost(new Share(text, 9, 9))
                                .lookups(new Lookup(Seen.at(1), text, 2000 * millis, text)),
                        Seen.loop(text + "2").cpus("0"))
                .note(text));
    }

    private static Diagnosis empty() {
        return Diagnosis.of(Seen.of());
    }

    @Test
    void whatComesFromTheProgramIsTextInHtml() {
        var html = DiagnosisHtml.of(full(EVIL));

        assertThat(html).doesNotContain("<script", "alert('x')", "\033", "\u0000");
        assertThat(html).contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;");
        assertThat(html).containsOnlyOnce("</title>\n");
    }

    @Test
    void thePageNeedsNothingElse() {
        assertThat(DiagnosisHtml.of(full("text")))
                .contains(
                        "<svg",
                        "prefers-color-scheme: dark",
                        "Busy share over time",
                        "Polls: how long",
                        "by kind of work")
                .contains("class=\"stall\"", "class=\"pause\"")
                .doesNotContain("http", "src=", "href", "@import", "url(", "onload", "javascript");
    }

    @Test
    void everyElementEnds() {
        for (var html : List.of(DiagnosisHtml.of(full(EVIL)), DiagnosisHtml.of(empty()))) {
            var open = new ArrayDeque<String>();
            var tags = Pattern.compile("<(/?)([!a-zA-Z0-9]+)[^>]*?(/?)>").matcher(html);
            while (tags.find()) {
                if (!tags.group(1).isEmpty()) {
                    assertThat(tags.group(2)).isEqualTo(open.pop());
                } else if (tags.group(3).isEmpty() && !WITHOUT_END.contains(tags.group(2))) {
                    open.push(tags.group(2));
                }
            }
            assertThat(open).isEmpty();
        }
    }

    @Test
    void nothingIsWellToo() {
        var lines = DiagnosisText.lines(empty(), true);

        assertThat(lines).contains("All is well, as far as this can be seen.");
        assertThat(DiagnosisHtml.of(empty())).contains("All is well, as far as this can be seen.");
    }

    @Test
    void hintsAloneAreWell() {
        var diagnosis = Diagnosis.of(Seen.of(Seen.loop("one").lost(new Share("x", 9, 9))));

        assertThat(DiagnosisText.lines(diagnosis, true))
                .contains("All is well, as far as this can be seen; one hint:")
                .anyMatch(line -> line.startsWith("1. hint: 9 connections"));
    }

    @Test
    void wordsHaveNumbersAndAdvice() {
        var lines = DiagnosisText.lines(full(FRAME), true);

        assertThat(lines).contains("note: " + FRAME);
        assertThat(lines)
                .anyMatch(line -> line.matches("1\\. serious: .*kept once by demo.Server.crunch, for up to 300 ms"));
        assertThat(lines).anyMatch(line -> line.startsWith("   -> "));
    }

    @Test
    void whatComesFromTheProgramCannotCommandTheTerminal() {
        assertThat(DiagnosisText.lines(full(EVIL), true))
                .allMatch(line -> line.chars().noneMatch(c -> c < ' '));
    }

    @Test
    void jsonIsJsonWhateverTheNames() {
        var fields = JsonReader.object(JsonWriter.pretty(DiagnosisJson.fields(full(EVIL))));

        assertThat(fields)
                .containsKeys("source", "seconds", "verdict", "findings", "loops", "stalls", "gc_paused_ms", "notes")
                .containsEntry("notes", List.of(EVIL));
        assertThat((List<?>) fields.get("findings"))
                .allSatisfy(finding -> assertThat(
                                ((Map<?, ?>) finding).keySet().stream().map(String::valueOf))
                        .containsExactly("kind", "grade", "weight", "loops", "title", "evidence", "numbers", "advice"));
        assertThat(fields.toString()).doesNotContain("Infinity");
    }

    @Test
    void aTimelineOfManySnapshotsIsThinnedOut() {
        var tasks = new int[5000];
        Observation seen = Seen.of(Seen.loop("one").tasks(tasks));
        var bars = Pattern.compile("class=\"busy\"")
                .matcher(DiagnosisHtml.of(Diagnosis.of(seen)))
                .results()
                .count();

        assertThat(bars).isBetween(300L, 400L);
    }
}
